// Commands derived from operations: arguments, options and help come from the schemas.
import { Argument, type Command, Option } from 'commander'
import { IsOptional, type TSchema } from 'typebox'
import type { CallOperation, ItemOf, ListOperation, OperationGroup, ReplyOf } from '../schemas/operations/operation.ts'
import { cursorMembers, pageMembers } from '../schemas/operations/page.ts'
import { exitCode } from './exit-codes.ts'
import { exitOf, Failure } from './failure.ts'
import { connect } from './http-client.ts'
import {
  anyNumber,
  collect,
  isData,
  pairs,
  wholeNumber,
  withDaemon,
  withExamples,
  type DaemonOptions,
} from './options.ts'
import type { OutputOption, UrlOption } from './options.ts'
import { print } from './output/print.ts'
import { printData } from './output/data.ts'
import { lines } from './output/records.ts'
import type { CommandEntry } from './program.ts'
import { standardInput, STDIN } from './standard-input.ts'

type Verbal = CallOperation | ListOperation
type Replied<O> = O extends ListOperation ? ItemOf<O>[] : ReplyOf<O>
type Members = Record<string, unknown>

/** Parsed input: arguments by field, options as in commander. */
export interface Typed {
  words: Readonly<Record<string, any>>
  options: DaemonOptions & Readonly<Record<string, any>>
}

/** Subject of a call, named by the first argument; its id fills the path. */
export interface Subject<T extends { id: string }> {
  /** `<agent>` */
  shown: string
  help: string
  find(word: string, options: UrlOption): Promise<T>
}

/** Argument that fills a path parameter or a body field. */
export interface Word {
  /** `mode` */
  member: string
  /** `<mode>`, `[path]` if optional, `[tools...]` for a list. */
  shown: string
  help: string
  choices?: readonly string[]
  /** Throws commander's InvalidArgumentError. */
  parse?(word: string): unknown
}

/** Outcome that replaces the response of a call. */
export interface Ending {
  /** Output of `--json`. */
  json: unknown
  /** Text for people, or the failure. */
  text: string | Failure
}

export interface VerbOptions<O extends Verbal, T extends { id: string }> {
  /** Default: the summary of the operation. */
  summary?: string
  aliases?: string[]
  subject?: Subject<T>
  args?: readonly Word[]
  /** Options that replace the ones derived from the schema. */
  options?: Readonly<Record<string, Option>>
  /** Fields that are not options. */
  without?: readonly string[]
  /** Adds options beyond the schema. */
  more?(command: Command): Command
  /** Completes or changes the fields before the request. */
  request?(members: Members, typed: Typed): Members | Promise<Members>
  examples: readonly [string, ...string[]]
  /** Text for people. Default: the fields of the response, one per line. */
  done?(reply: Replied<O>, context: Typed & { subject: T }): string | Promise<string>
  /** Output of `--json`. Default: the response, or `{}`. */
  json?(reply: Replied<O>, context: Typed & { subject: T }): unknown
  /** Waits for an outcome that replaces the response; null if the command does not wait. */
  wait?(reply: Replied<O>, context: Typed & { subject: T }): Promise<Ending | null>
  /** Exit code by response. */
  exit?(reply: Replied<O>, typed: Typed): number
}

/** Entry of a command that makes one call. */
export function verb<const O extends Verbal, T extends { id: string } = never>(
  name: string,
  group: OperationGroup,
  operation: O,
  how: VerbOptions<O, T>,
): CommandEntry {
  return {
    name,
    ...(how.aliases ? { aliases: how.aliases } : {}),
    summary: how.summary ?? operation.summary,
    load: async () => ({ define: (command) => defineVerb(command, group, operation, how) }),
  }
}

export function defineVerb<const O extends Verbal, T extends { id: string } = never>(
  command: Command,
  group: OperationGroup,
  operation: O,
  how: VerbOptions<O, T>,
): void {
  const { args = [] } = how
  if (how.subject) command.argument(how.subject.shown, how.subject.help)
  for (const word of args) command.addArgument(argumentOf(word))
  const options = optionsOf(operation, how)
  for (const option of Object.values(options)) command.addOption(option)
  how.more?.(command)
  withExamples(withDaemon(command), ...how.examples)
  command.action(async (...given: any[]) => {
    const about: string | undefined = how.subject ? given.shift() : undefined
    const words = Object.fromEntries(args.map(({ member }, at) => [member, given[at]]))
    const typed: Typed = { words, options: given[args.length] }
    const chosen = Object.entries(options).map(([member, option]) => [member, typed.options[option.attributeName()]])
    const members: Members = { ...Object.fromEntries(chosen), ...words }
    for (const [member, value] of Object.entries(members)) if (value === STDIN) members[member] = await standardInput()
    const full = (await how.request?.(members, typed)) ?? members
    const subject = (about === undefined ? undefined : await how.subject!.find(about, typed.options)) as T
    const client = connect({ ...group, operations: { call: operation } }, typed.options) as {
      call(input: unknown): Promise<Replied<O>>
    }
    const reply = await client.call(inputOf(operation, subject ? { ...full, id: subject.id } : full))
    const context = { ...typed, subject }
    const ending = await how.wait?.(reply, context)
    if (ending) return end(ending, typed.options)
    if (isData(typed.options)) await printData(how.json ? how.json(reply, context) : (reply ?? {}), typed.options)
    else print(how.done ? await how.done(reply, context) : lines(reply ?? {}))
    if (how.exit) process.exitCode = how.exit(reply, typed)
  })
}

async function end({ json, text }: Ending, options: OutputOption): Promise<void> {
  const isForPrograms = isData(options)
  if (isForPrograms) await printData(json, options)
  if (!(text instanceof Failure)) return isForPrograms ? undefined : print(text)
  if (!isForPrograms) throw text
  process.exitCode = exitCode(exitOf(text))
}

const upperFirst = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

function argumentOf({ shown, help, choices, parse }: Word): Argument {
  const argument = new Argument(shown, help)
  if (choices) argument.choices(choices)
  return parse ? argument.argParser(parse) : argument
}

/** One option per field that is neither an argument nor excluded. */
function optionsOf<O extends Verbal, T extends { id: string }>(
  operation: O,
  { args = [], without = [], options = {} }: VerbOptions<O, T>,
): Record<string, Option> {
  const taken = new Set([...args.map((word) => word.member), ...without])
  const members = membersOf(operation, options).filter(([member]) => !taken.has(member))
  return Object.fromEntries(
    members.map(([member, schema]) => {
      const option = options[member] ?? optionOf(member, schema)
      const isLeftOut = IsOptional(schema) || option.defaultValue !== undefined
      return [member, option.makeOptionMandatory(!isLeftOut)]
    }),
  )
}

const propertiesOf = (schema: unknown): Record<string, TSchema> =>
  (schema as { properties?: Record<string, TSchema> } | undefined)?.properties ?? {}

/** Query and body fields; page fields only if an option is given for them. */
function membersOf(operation: Verbal, options: Readonly<Record<string, Option>>): [string, TSchema][] {
  const query = Object.entries(propertiesOf(operation.query))
  if (operation.kind === 'list') {
    const paging = { ...pageMembers, ...(operation.cursors ? cursorMembers : {}) }
    return query.filter(([name]) => !(name in paging) || name in options)
  }
  return [...query, ...Object.entries(propertiesOf(operation.body))]
}

/** Splits fields into the parts of a request; omits an empty optional body. */
function inputOf(operation: Verbal, members: Members): object {
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  const part = (schema: unknown) =>
    Object.fromEntries(given.filter(([member]) => Object.hasOwn(propertiesOf(schema), member)))
  const input = { params: part(operation.params), query: part(operation.query) }
  if (operation.kind === 'list' || operation.body === undefined) return input
  const body = part(operation.body)
  return Object.keys(body).length === 0 && IsOptional(operation.body) ? input : { ...input, body }
}

interface Shape {
  type?: string
  enum?: string[]
  anyOf?: Shape[]
  description?: string
  patternProperties?: object
}

/** Schema of a field without null, which means unset. */
function plain(schema: TSchema): Shape {
  const shape = schema as Shape
  const [first, ...rest] = (shape.anyOf ?? []).filter((each) => each.type !== 'null')
  return first && rest.length === 0 ? { description: shape.description, ...first } : shape
}

function optionOf(member: string, schema: TSchema): Option {
  const shape = plain(schema)
  const flag = `--${member.replaceAll('_', '-')}`
  const help = shape.description ?? upperFirst(member.replaceAll('_', ' '))
  const several = `${help} (repeatable)`
  if (shape.type === 'boolean') return new Option(flag, help)
  if (shape.enum) return new Option(`${flag} <${member.split('_').at(-1)}>`, help).choices(shape.enum)
  if (shape.type === 'integer') return new Option(`${flag} <n>`, help).argParser(wholeNumber)
  if (shape.type === 'number') return new Option(`${flag} <n>`, help).argParser(anyNumber)
  if (shape.type === 'array') return new Option(`${flag} <text>`, several).argParser(collect)
  if (shape.patternProperties) return new Option(`${flag} <name=value>`, several).argParser(pairs(flag, 'name=value'))
  return new Option(`${flag} <text>`, help)
}
