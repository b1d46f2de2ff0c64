// Builds a command tree of which only the command that was asked for is loaded, runs it, and turns its end into text
// and an exit code.
import { Command, CommanderError } from 'commander'
import { EXIT, EXIT_MODES, exitCode, type ExitMode } from './exit-codes.ts'
import { Failure, failureText } from './failure.ts'
import { VERSION } from './version.ts'

/** One command: what help lists, and how the rest is loaded. */
export interface CommandEntry {
  name: string
  aliases?: string[]
  summary: string
  /** Module with `define`, which gives the command its options and its action. */
  load?: () => Promise<{ define(command: Command): void }>
  /** The commands of a group; asked for only when the group is. */
  children?: () => Promise<readonly CommandEntry[]>
}

export interface ProgramSpec {
  name: string
  description: string
  commands: readonly CommandEntry[]
}

/** The whole tree when `words` is null (for tests and pages), else with only what the named command needs loaded. */
export async function buildProgram(spec: ProgramSpec, words: readonly string[] | null): Promise<Command> {
  const program = new Command(spec.name)
    .description(spec.description)
    .version(VERSION, '--version', 'print the version')
  program.exitOverride().configureOutput({ outputError: () => undefined })
  await addCommands(program, spec.commands, words?.[0] === 'help' ? words.slice(1) : words)
  program.addHelpText('after', `\nRun "${spec.name} <command> --help" for the options of a command, with an example.`)
  return program
}

async function addCommands(
  parent: Command,
  entries: readonly CommandEntry[],
  words: readonly string[] | null,
): Promise<void> {
  for (const entry of entries) {
    const command = parent
      .command(entry.name)
      .description(entry.summary)
      .aliases(entry.aliases ?? [])
    const asked = words === null || [entry.name, ...(entry.aliases ?? [])].includes(words[0]!)
    const below = words === null ? null : words.slice(words[1] === 'help' ? 2 : 1)
    if (!asked) continue
    if (entry.children) {
      const children = await entry.children()
      await addCommands(command, children, below)
      command.addHelpText('after', `\nExample:\n  $ ${fullName(command)} ${children[0]!.name} --help`)
    } else (await entry.load!()).define(command)
  }
}

const fullName = (command: Command): string =>
  command.parent ? `${fullName(command.parent)} ${command.name()}` : command.name()

/** Runs the command line and sets the exit code; never throws. */
export async function runProgram(spec: ProgramSpec, argv: readonly string[]): Promise<void> {
  endQuietlyWhenNobodyReads()
  const mode = exitMode(argv)
  let program: Command | undefined
  try {
    program = await buildProgram(spec, argv)
    if (argv.length === 0) program.help()
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = endOfParsing(error, spec.name, program, argv)
    else {
      process.stderr.write(failureText(error))
      process.exitCode = exitCode(error instanceof Failure ? error.exit : 'error', mode)
    }
  }
}

/** Help and version are no errors; anything else is wrong usage. */
function endOfParsing(
  error: CommanderError,
  name: string,
  program: Command | undefined,
  argv: readonly string[],
): number {
  if (error.exitCode === 0 || error.code === 'commander.version' || argv.length === 0) return EXIT.ok
  const asked = deepest(program, argv, name)
  if (error.code === 'commander.help') return EXIT.usage // a group without its command: its help is the answer
  const [what = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  const nearest = /Did you mean (?:one of )?(.+?)\?\)?$/.exec(suggestion ?? '')?.[1]
  const unknownCommand = error.code === 'commander.unknownCommand'
  const hint = nearest
    ? `did you mean "${unknownCommand ? `${asked} ` : ''}${nearest}"? "${asked} --help" lists what there is`
    : `run "${asked} --help" for its usage`
  process.stderr.write(failureText(new Failure(what, { where: asked, hint })))
  return EXIT.usage
}

function deepest(program: Command | undefined, argv: readonly string[], name: string): string {
  let [command, path] = [program, name]
  for (const word of argv) {
    const next = command?.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (!next) break
    ;[command, path] = [next, `${path} ${next.name()}`]
  }
  return path
}

/** The mode must be known also when the command fails before it reads its options. */
function exitMode(argv: readonly string[]): ExitMode {
  const at = argv.findIndex((word) => word.startsWith('--exit-codes'))
  const value = argv[at]?.split('=')[1] ?? argv[at + 1]
  return at >= 0 && EXIT_MODES.includes(value as ExitMode) ? (value as ExitMode) : 'basic'
}

/** `svc get agents | head` ends without a complaint. */
function endQuietlyWhenNobodyReads(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(EXIT.ok)
  })
}
