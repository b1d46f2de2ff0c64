// Options and help that several commands share, so that they read the same everywhere.
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

/** Options of a command that asks the daemon and shows its answer. */
export interface DaemonOptions extends UrlOption, OutputOption {}

/** Options of a command that can be waited for. */
export interface WaitOption {
  wait?: boolean
  /** Milliseconds. */
  timeout: number
}

export interface ExitOption {
  exitCodes: ExitMode
}

export function withUrl(command: Command): Command {
  return command.option('--url <address>', 'address of the daemon; default: the one that runs here')
}

/** Adds `-o` with the formats (the first is the default) and `--json`. */
export function withOutput(command: Command, formats: readonly string[] = ['human', 'json', 'yaml']): Command {
  command.addOption(new Option('-o, --output <format>', 'format of the output').choices(formats).default(formats[0]))
  return command.option('--json', 'short for -o json')
}

/** Adds the options of a command that asks the daemon and shows its answer. */
export const withDaemon = (command: Command, formats?: readonly string[]): Command =>
  withUrl(withOutput(command, formats))

/** The format that was asked for. */
export function formatOf<Format extends string>(options: OutputOption): Format {
  return (options.json ? 'json' : options.output) as Format
}

/** Whether a program reads it: JSON or YAML. */
export const isData = (options: OutputOption): boolean => ['json', 'yaml'].includes(formatOf(options))

export function withExitCodes(command: Command): Command {
  return command.addOption(
    new Option('--exit-codes <mode>', 'extended: 10 drift only, 11 prune guard, 13 invalid, 14 conflict, 15 timed out')
      .choices(EXIT_MODES)
      .default('basic'),
  )
}

export function withWait(command: Command): Command {
  return command
    .option('--wait', 'wait until every resource is Ready')
    .addOption(
      new Option('--timeout <time>', 'longest wait, such as 60s or 2m').argParser(parseDuration).default(60_000, '60s'),
    )
}

/** Adds examples below the help. */
export function withExamples(command: Command, ...examples: string[]): Command {
  return command.addHelpText(
    'after',
    `\n${examples.length === 1 ? 'Example' : 'Examples'}:\n${examples.map((example) => `  $ ${fromHere(example)}`).join('\n')}`,
  )
}

/** For an option that may be given several times. */
export const collect = (value: string, before: string[] | undefined): string[] => [...(before ?? []), value]

/** For an option that may be given several times, each `name=value`; `example` is what the hint shows. */
export function pairs(flag: string, example: string, noun = 'name') {
  return (text: string, before: Record<string, string> = {}): Record<string, string> => {
    const at = text.indexOf('=')
    // What follows a `=` may be a secret.
    if (at < 1) throw misuse(`${flag} ${at < 0 ? text : '='} has no ${noun} and value`, `write ${flag} ${example}`)
    return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
  }
}

export function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('wanted a whole number.')
  return Number(text)
}

export function anyNumber(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError('wanted a number.')
  return value
}

/** `KIND/NAME` in two. */
export function resourceId(text: string): { kind: string; name: string } {
  const at = text.indexOf('/')
  if (at <= 0 || at === text.length - 1) throw new InvalidArgumentError('wanted KIND/NAME, such as agents/planner.')
  return { kind: text.slice(0, at), name: text.slice(at + 1) }
}
