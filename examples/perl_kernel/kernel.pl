#!/usr/bin/perl
# A kernel with a cache and a store, and probes that see its handlers' context, as a program.
# It needs nothing but Perl. Judge it with  fedcheck run --kernel "exec:perl kernel.pl"
use strict;
use warnings;
use JSON::PP ();

$| = 1;    # an answer that waits in a buffer is no answer
my $json = JSON::PP->new->ascii->canonical->allow_nonref->allow_bignum;

my %description = (
    kernel       => 'perl-example',
    version      => '1.0',
    protocol     => 'fedcheck/1',
    capabilities => [ 'cache', 'clock', 'probe', 'store' ],
);

my ( %cache, %store );    # users are never seen twice, so nothing is ever flushed
my $now = 0;

sub refused {
    my ($why) = @_;
    return { outcome => 'refused', error => { name => 'Refused', message => $why } };
}

sub place { my ($step) = @_; return join "\0", @$step{qw(user app key)} }

sub cache_set {
    my ($step) = @_;
    my ( $key, $value, $life ) = @$step{qw(key value_json ttl_seconds)};
    return refused('a key is 1 to 128 of A-Z a-z 0-9 _ - :')
        unless $key =~ /\A[A-Za-z0-9_:-]{1,128}\z/;
    $life = 60 unless defined $life;
    return refused('a life is 5 to 300 seconds')
        unless $life =~ /\A[0-9]+(?:\.[0-9]+)?\z/ && $life >= 5 && $life <= 300;
    my $bytes = $value;    # JSON text, kept as it is; only its size is looked at
    utf8::encode($bytes);
    return refused('a value has at most 65,536 bytes') if length $bytes > 65_536;
    $cache{ place($step) } = { value => $value, until => $now + $life };
    return { outcome => 'accepted', ttl_seconds => $life + 0 };
}

sub cache_get {
    my ($step) = @_;
    my $entry = $cache{ place($step) };
    return { outcome => 'miss' } unless $entry && $now < $entry->{until};
    return { outcome => 'hit', value_json => $entry->{value} };
}

sub cache_delete {
    my ($step) = @_;
    return { outcome => delete $cache{ place($step) } ? 'accepted' : 'miss' };
}

sub store_set {
    my ($step) = @_;
    $store{ place($step) } = $step->{value_json};
    return { outcome => 'accepted' };
}

# What an extension can import, by the names of the protocol.
my %sdk = map { $_ => 1 } qw(ActionResult Context Extension);

# What a handler can reach: a service is a hash, a method is a function.
sub context {
    my ($step) = @_;
    my $stored = sub { my ($key) = @_; return $store{ place( { %$step, key => $key } ) } };
    my $service = { request => sub { die "not in this example\n" } };
    return {
        user  => { imperal_id => $step->{user}, role => 'user', language => 'en' },
        store => { get => $stored },
        cache => { get => sub { cache_get( { %$step, key => $_[0] } )->{value_json} } },
        map { $_ => $service } qw(http ai notify secrets),
    };
}

sub probe {
    my ($step) = @_;
    if ( $step->{op} eq 'import' ) {
        return { outcome => 'value', value_json => '"<class>"' } if $sdk{ $step->{path} };
        return raised( 'ImportError', "the SDK has no $step->{path}" );
    }
    my $at = context($step);
    $at = ref $at eq 'HASH' ? $at->{$_} : undef for split /\./, $step->{path};
    if ( $step->{op} eq 'get' ) {
        return { outcome => 'absent' } unless defined $at;
        return { outcome => 'value', value_json => ref $at ? '"<object>"' : $json->encode($at) };
    }
    return raised( 'NoSuchMethod', "ctx.$step->{path} is nothing to call" ) unless ref $at eq 'CODE';
    my $value = eval { $at->( @{ $json->decode( $step->{args_json} ) } ) };
    return raised( 'Error', $@ ) if $@;
    return { outcome => 'value', value_json => defined $value ? $value : 'null' };
}

sub raised {
    my ( $name, $message ) = @_;
    return { outcome => 'raised', error => { name => $name, message => $message } };
}

my %steps = (
    cache_set    => sub { { event => 'cache_outcome', %{ cache_set(@_) } } },
    cache_get    => sub { { event => 'cache_outcome', %{ cache_get(@_) } } },
    cache_delete => sub { { event => 'cache_outcome', %{ cache_delete(@_) } } },
    store_set    => sub { { event => 'store_outcome', %{ store_set(@_) } } },
    probe        => sub { { event => 'probe_outcome', %{ probe(@_) } } },
    advance      => sub { $now += $_[0]{seconds}; { event => 'advanced', at => $now + 0 } },
);

sub run {
    my ($scenario) = @_;
    $now = $scenario->{environment}{start_time} || 0;
    my @events;
    for my $index ( 0 .. $#{ $scenario->{steps} } ) {
        my $step  = $scenario->{steps}[$index];
        my $take  = $steps{ $step->{step} } || sub { die "no step $step->{step} here\n" };
        my $event = eval { $take->( { app => 'alpha', %$step } ) }
            || { event => 'step_failed', message => "$@" };
        push @events, { %$event, step => $index };
    }
    return { events => \@events };
}

# JSON can say half a surrogate pair; Perl's parser refuses it, so it becomes U+FFFD first.
sub without_halves {
    my ($text) = @_;
    $text =~ s/(\\\\|\\u[dD][89abAB]..\\u[dD][c-fC-F]..)|\\u[dD][89a-fA-F]../$1 || '\ufffd'/ge;
    return $text;
}

while ( my $line = <STDIN> ) {
    my $request = $json->decode( without_halves($line) );
    my $result =
        $request->{method} eq 'describe' ? \%description : run( $request->{params}{scenario} );
    print $json->encode( { jsonrpc => '2.0', id => $request->{id}, result => $result } ), "\n";
}
