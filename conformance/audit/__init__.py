"""What an auditor repeats: the tests of the tests, recorded runs, the files of a bundle."""
