// Runs a Declarative Pipeline: groovy pipeline.groovy JENKINSFILE SECRET-FILE
//
// It knows the sections and steps that the recipe of docs/ci.md uses and refuses all others, with
// the rules of the published pipeline syntax. Each `sh` is really run, as `sh -xe`, in the current
// folder. Exit code: 0 the build did not fail, 1 it failed, 2 the pipeline itself is wrong.

class Wrong extends Exception {
    Wrong(String message) { super(message) }
}

class Failed extends Exception {
    Failed(String message) { super(message) }
}

abstract class Section {
    final Set seen = []

    void once(String name) {
        if (!seen.add(name)) throw new Wrong("${where()}: a second '$name'")
    }

    void demand(String... names) {
        names.each { if (!(it in seen)) throw new Wrong("${where()}: '$it' is missing") }
    }

    String where() { getClass().simpleName.toLowerCase() }

    def methodMissing(String name, arguments) { throw new Wrong("${where()}: unknown '$name'") }

    def propertyMissing(String name) { throw new Wrong("${where()}: unknown '$name'") }

    static inside(Section section, Closure body) {
        body.delegate = section
        body.resolveStrategy = Closure.DELEGATE_ONLY
        body()
        section
    }
}

class Pipeline extends Section {
    final String any = 'any'
    final String none = 'none'
    List<Stage> all = []
    Closure after

    void agent(String which) { once('agent') }

    void parameters(Closure body) {
        once('parameters')
        Section.inside(new Parameters(), body)
    }

    void stages(Closure body) {
        once('stages')
        all = Section.inside(new Stages(), body).all
        if (!all) throw new Wrong('stages: not one stage')
    }

    void post(Closure body) {
        once('post')
        after = Section.inside(new Post(), body).always
    }
}

class Parameters extends Section {
    void string(Map arguments) { if (!arguments.name) throw new Wrong('parameters: a name is missing') }
}

class Stages extends Section {
    List<Stage> all = []

    void stage(String name, Closure body) {
        once(name)
        def stage = Section.inside(new Stage(), body)
        stage.demand('steps')
        all << stage
    }
}

class Stage extends Section {
    Closure work

    void steps(Closure body) {
        once('steps')
        work = body
    }
}

class Post extends Section {
    Closure always

    void always(Closure body) {
        once('always')
        always = body
    }
}

class Steps extends Section {
    String secret
    Map<String, String> variables = [:]
    boolean scripted

    void sh(String text) {
        def process = new ProcessBuilder('sh', '-xe', '-c', text)
        process.environment().putAll(variables)
        def code = process.inheritIO().start().waitFor()
        if (code) throw new Failed("sh: exit code $code")
    }

    void script(Closure body) {
        Section.inside(new Steps(secret: secret, variables: variables, scripted: true), body)
    }

    boolean fileExists(String name) {
        if (!scripted) throw new Wrong("steps: 'fileExists' decides nothing outside of script")
        new File(name).exists()
    }

    Map file(Map arguments) {
        only(arguments, ['credentialsId', 'variable'], [])
    }

    void withCredentials(List<Map> credentials, Closure body) {
        def given = credentials.collectEntries { [it.variable, secret] }
        Section.inside(new Steps(secret: secret, variables: variables + given, scripted: scripted), body)
    }

    void junit(Map arguments) {
        only(arguments, ['testResults'], ['allowEmptyResults'])
        if (new File(arguments.testResults).exists()) new XmlParser().parse(arguments.testResults)
        else if (!arguments.allowEmptyResults) throw new Failed("junit: no $arguments.testResults")
    }

    void archiveArtifacts(Map arguments) {
        only(arguments, ['artifacts'], ['fingerprint'])
        arguments.artifacts.split(/\s*,\s*/).each {
            if (!new File(it).exists()) throw new Failed("archiveArtifacts: no $it")
            new File(System.getenv('ARTIFACTS'), it).bytes = new File(it).bytes
        }
    }

    void copyArtifacts(Map arguments) {
        only(arguments, ['projectName', 'filter'], [])
        def kept = new File(System.getenv('ARTIFACTS'), arguments.filter)
        if (!kept.exists()) throw new Failed("copyArtifacts: no $arguments.filter")
        new File(arguments.filter).bytes = kept.bytes
    }

    Map only(Map arguments, List needed, List also) {
        def odd = (arguments.keySet() - needed - also) + (needed - arguments.keySet())
        if (odd) throw new Wrong("steps: missing or unknown arguments: ${odd.join(', ')}")
        arguments
    }
}

def run(Closure work, String secret) {
    try {
        Section.inside(new Steps(secret: secret), work)
        true
    } catch (Failed failed) {
        println failed.message
        false
    }
}

Pipeline found = null
def shell = new GroovyShell(new Binding(pipeline: { Closure body ->
    if (found) throw new Wrong("a second 'pipeline'")
    found = Section.inside(new Pipeline(), body)
    found.demand('agent', 'stages')
}))
try {
    shell.evaluate(new File(args[0]))
    if (!found) throw new Wrong("no 'pipeline'")
    def good = found.all.every { run(it.work, args[1]) }
    if (found.after) good = run(found.after, args[1]) && good
    System.exit(good ? 0 : 1)
} catch (Wrong wrong) {
    println wrong.message
    System.exit(2)
} catch (org.codehaus.groovy.control.CompilationFailedException wrong) {
    println wrong.message
    System.exit(2)
}
