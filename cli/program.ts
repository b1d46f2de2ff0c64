// Builds the command tree, loading only the requested command, and maps the result to an exit code.
import { Command, CommanderError, Help } from 'commander'
import { EXIT, EXIT_MODES, exitCode, type ExitMode } from './exit-codes.ts'
import { fromHere } from './command-line.ts'
import { exitOf, Failure, failureText } from './failure.ts'
import { fitted } from './output/print.ts'
import { checkInputs } from './standard-input.ts'
import { VERSION } from './version.ts'

export interface CommandEntry {
  name: string
  aliases?: string[]
  /** Heading of its group in help, such as `Inspect`. */
  group?: string
  /** Runs if its group is named alone. */
  isDefault?: boolean
  summary: string
  /** Module whose `define` adds the options and the action. */
  load?: () => Promise<{ define(command: Command): void }>
  /** Commands of a group, loaded on demand. */
  children?: () => Promise<readonly CommandEntry[]>
  /** The three most used commands of a group, with descriptions. */
  usual?: Usual
}

export type Usual = readonly [UsualCommand, UsualCommand, UsualCommand]
export type UsualCommand = readonly [command: string, does: string]

export interface ProgramSpec {
  name: string
  description: string
  commands: readonly CommandEntry[]
  usual: Usual
}

/** Loads the whole tree if `words` is null (tests, docs), else only the named command. */
export async function buildProgram(spec: ProgramSpec, words: readonly string[] | null): Promise<Command> {
  const program = new Command(spec.name)
    .description(spec.description)
    .version(VERSION, '--version', 'Print the version')
    .helpOption('-h, --help', 'Show this help')
    // Lists of commands omit aliases.
    .configureHelp({ subcommandTerm: (command) => new Help().subcommandTerm(command).replace(/\|\S+/, '') })
  program.exitOverride().configureOutput({ outputError: () => undefined })
  program.hook('preAction', (_program, command) => checkInputs(command))
  await addCommands(program, spec.commands, words?.[0] === 'help' ? words.slice(1) : words)
  program.addHelpText(
    'after',
    `\n${usualLines(spec.usual)}\n\n${fitted(`Run "${fromHere(`${spec.name} <command> --help`)}" for its options and an example.`)}`,
  )
  return program
}

async function addCommands(
  parent: Command,
  entries: readonly CommandEntry[],
  words: readonly string[] | null,
): Promise<void> {
  const names = (entry: CommandEntry) => [entry.name, ...(entry.aliases ?? [])]
  const isNamed = entries.some((entry) => names(entry).includes(words?.[0] ?? ''))
  for (const entry of entries) {
    const isDefault = entry.isDefault ?? false
    const command = parent
      .command(entry.name, { isDefault })
      .description(entry.summary)
      .aliases(entry.aliases ?? [])
      .helpGroup(headingOf(entry))
    const asked = words === null || (isNamed ? names(entry).includes(words[0]!) : isDefault)
    const below = words === null ? null : words.slice(words[1] === 'help' ? 2 : 1)
    if (!asked) continue
    if (entry.children) {
      await addCommands(command, await entry.children(), below)
      if (entry.usual) command.addHelpText('after', `\n${usualLines(entry.usual)}`)
    } else (await entry.load!()).define(command)
  }
  // The help command joins the last group.
  const last = entries.at(-1)
  if (last) parent.commandsGroup(headingOf(last)).helpCommand('help [command]', 'Show help for a command')
}

const headingOf = ({ group = 'Commands' }: CommandEntry): string => `${group}:`

/** Puts entries under one heading of help. */
export const inGroup = (group: string, entries: readonly CommandEntry[]): CommandEntry[] =>
  entries.map((entry) => ({ ...entry, group }))

/** Columns that every terminal has. */
const HELP_WIDTH = 80

function usualLines(usual: Usual): string {
  const shown = usual.map(([command, does]) => [fromHere(command), does] as const)
  const width = Math.max(...shown.map(([command]) => command.length))
  const lines = (padding: number) => shown.map(([command, does]) => `  $ ${command.padEnd(padding)}   # ${does}`)
  const fits = lines(width).every((line) => line.length <= HELP_WIDTH)
  return ['Most used:', ...lines(fits ? width : 0)].join('\n')
}

/** Sets the exit code; never throws. */
export async function runProgram(spec: ProgramSpec, argv: readonly string[]): Promise<void> {
  const mode = exitMode(argv)
  let program: Command | undefined
  try {
    if (argv[0] === 'complete' && argv[1] === '--') return await printCompletions(spec, argv.slice(2))
    program = await buildProgram(spec, argv)
    if (argv.length === 0) program.help()
    await program.parseAsync(argv, { from: 'user' })
  } catch (error) {
    if (error instanceof CommanderError) process.exitCode = endOfParsing(error, spec.name, program, argv)
    else {
      process.stderr.write(failureText(error))
      process.exitCode = exitCode(exitOf(error), mode)
    }
  }
}

async function printCompletions(spec: ProgramSpec, words: readonly string[]): Promise<void> {
  const { complete } = await import('./completion/complete.ts')
  return complete(await buildProgram(spec, null), words)
}

/** Help and version succeed; everything else is wrong usage. */
function endOfParsing(
  error: CommanderError,
  name: string,
  program: Command | undefined,
  argv: readonly string[],
): number {
  if (error.exitCode === 0 || error.code === 'commander.version' || argv.length === 0) return EXIT.ok
  const asked = pathTo(program, argv, name)
  if (error.code === 'commander.help') return EXIT.usage // a group without a command prints its help
  const [what = '', suggestion] = error.message.replace(/^error: /, '').split('\n')
  const nearest =
    /Did you mean (?:one of )?(.+?)\?\)?$/.exec(suggestion ?? '')?.[1] ??
    optionStartingWith(what, deepest(program, argv))
  const unknownCommand = error.code === 'commander.unknownCommand'
  const hint = nearest
    ? `did you mean "${unknownCommand ? fromHere(`${asked} ${nearest}`) : nearest}"? Run "${fromHere(`${asked} --help`)}" for a list`
    : `run "${fromHere(`${asked} --help`)}" for its usage`
  process.stderr.write(failureText(new Failure(what, { where: asked, hint })))
  return EXIT.usage
}

/** The only option that starts with an unknown one. */
function optionStartingWith(what: string, command: Command | undefined): string | undefined {
  const word = /^unknown option '(--[\w-]+)'/.exec(what)?.[1]
  const meant = (command?.options ?? []).flatMap(({ long }) => (word && long?.startsWith(word) ? [long] : []))
  return meant.length === 1 ? meant[0] : undefined
}

/** Named commands, outermost first. */
function* named(program: Command | undefined, argv: readonly string[]): Generator<Command, void> {
  let command = program
  for (const word of argv) {
    command = command?.commands.find((each) => each.name() === word || each.aliases().includes(word))
    if (!command) return
    yield command
  }
}

const deepest = (program: Command | undefined, argv: readonly string[]) => [...named(program, argv)].at(-1)

const pathTo = (program: Command | undefined, argv: readonly string[], name: string): string =>
  [name, ...[...named(program, argv)].map((command) => command.name())].join(' ')

/** Parsed separately, because it is needed if option parsing fails. */
function exitMode(argv: readonly string[]): ExitMode {
  const at = argv.findIndex((word) => word.startsWith('--exit-codes'))
  const value = argv[at]?.split('=')[1] ?? argv[at + 1]
  return at >= 0 && EXIT_MODES.includes(value as ExitMode) ? (value as ExitMode) : 'basic'
}
