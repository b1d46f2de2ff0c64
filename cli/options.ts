// Options that several commands share.
import { type Command, InvalidArgumentError, Option } from 'commander'
import { fromHere } from './command-line.ts'
import { EXIT_MODES, type ExitMode } from './exit-codes.ts'
import { misuse } from './failure.ts'
import { parseDuration } from './output/duration.ts'

export interface UrlOption {
  url?: string
}

export interface OutputOption {
  output?: string
  json?: boolean
}

export interface DaemonOptions extends UrlOption, OutputOption {}

export interface WaitOption {
  wait?: boolean
  /** Milliseconds. */
  timeout: number
}

export interface ExitOption {
  exitCodes: ExitMode
}

export function withUrl(command: Command): Command {
  return command.option('--url <address>', 'Address of the daemon (default: the local one)')
}

/** Adds `-o` (the first format is the default) and `--json`. */
export function withOutput(command: Command, formats: readonly string[] = ['human', 'json', 'yaml']): Command {
  command.addOption(new Option('-o, --output <format>', 'Output format').choices(formats).default(formats[0]))
  return withJson(command)
}

export const withJson = (command: Command): Command => command.option('--json', 'Same as -o json')

/** `--json` of a command that prints until it is interrupted. */
export const withJsonLines = (command: Command): Command => command.option('--json', 'Print one JSON object per line')

export const withDryRun = (command: Command): Command => command.option('--dry-run', 'Show the plan and change nothing')

/** `condition` precedes the help text: `With --dry-run`. */
export const withDetailedExitCode = (command: Command, condition?: string): Command =>
  command.option(
    '--detailed-exitcode',
    condition ? `${condition}: exit with 2 if anything would change` : 'Exit with 2 if anything would change',
  )

export const withWatch = (command: Command, help = 'Show changes as they happen, until Ctrl-C'): Command =>
  command.option('-w, --watch', help)

export const withYes = (command: Command): Command => command.option('-y, --yes', 'Skip the confirmation prompt')

export const withDaemon = (command: Command, formats?: readonly string[]): Command =>
  withUrl(withOutput(command, formats))

export function formatOf<Format extends string>(options: OutputOption): Format {
  return (options.json ? 'json' : options.output) as Format
}

/** Returns true for JSON and YAML. */
export const isData = (options: OutputOption): boolean => ['json', 'yaml'].includes(formatOf(options))

export function withExitCodes(command: Command): Command {
  return command.addOption(
    new Option(
      '--exit-codes <mode>',
      'Exit codes; extended adds 10 drift, 11 prune guard, 12 policy, 13 invalid, 14 conflict, 15 timeout',
    )
      .choices(EXIT_MODES)
      .default('basic'),
  )
}

/** Adds `--wait` and `--timeout`; `longest` is the default time-out in minutes. */
export function withWait(
  command: Command,
  { help = 'Wait until every resource is Ready', longest = 1 }: { help?: string; longest?: number } = {},
): Command {
  const timeout = new Option('--timeout <time>', 'Maximum time to wait, such as 60s or 2m')
    .argParser(parseDuration)
    .default(longest * 60_000, longest === 1 ? '60s' : `${longest}m`)
  return command.option('--wait', help).addOption(timeout)
}

export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText(
    'after',
    `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((example) => `  $ ${fromHere(example)}`).join('\n')}`,
  )
}

export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

/** Parser of a repeatable `name=value` option; `example` is shown in the hint. */
export function pairs(flag: string, example: string, noun = 'name') {
  return (text: string, before: Record<string, string> = {}): Record<string, string> => {
    const at = text.indexOf('=')
    // The text after `=` may be a secret.
    if (at < 1) throw misuse(`${flag} ${at < 0 ? text : '='}: expected ${noun}=value`, `write ${flag} ${example}`)
    return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
  }
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('expected a whole number')
  return Number(text)
}

export function anyNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('expected a number')
  return value
}

/** Splits `KIND/NAME`. */
export function resourceId(text: string): { kind: string; name: string } {
  const at = text.indexOf('/')
  if (at <= 0 || at === text.length - 1) throw new InvalidArgumentError('expected KIND/NAME, such as agents/planner')
  return { kind: text.slice(0, at), name: text.slice(at + 1) }
}
