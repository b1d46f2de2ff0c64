// A tool as a value: what a model is told of it, and the call that carries it out.
import * as Type from 'typebox'
import type { Static, TObject, TProperties } from 'typebox'
import { invalid } from '../../../platform/core/problem.ts'
import { valueCheck, type ValueCheck } from '../../../schemas/validation/fields.ts'
import type { ClientOf } from '../../../platform/http/client.ts'
import type { communicateOperations } from '../../../schemas/operations/communicate.ts'
import type { controllerOperations } from '../../../schemas/operations/controller.ts'
import type { docstoreOperations } from '../../../schemas/operations/docstore.ts'
import type { ToolName } from '../../../schemas/docstore/tools.ts'
import type { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'

/** Whom a tool asks, as whoever called it. */
export interface ToolContext {
  docstore: ClientOf<typeof docstoreOperations>
  orchestrator: ClientOf<typeof orchestratorOperations>
  controller: ClientOf<typeof controllerOperations>
  communicate: ClientOf<typeof communicateOperations>
  /** Sent with every call: the token that came with the request. */
  headers: Readonly<Record<string, string>>
  /** The name that memories are made under where none is given. */
  self: string
  /** Who is in a room: an agent by its id. */
  identifier: string
  /** Whoever asks may read alone: other tools are not shown. */
  readsOnly: boolean
}

export interface Tool {
  name: ToolName
  title: string
  /** What it does, and when to use it: read by a model. */
  description: string
  input: TObject
  output: TObject
  /** What it does to what is there. */
  effect: 'reads' | 'adds' | 'changes' | 'deletes'
  /** What to do next when it was refused, by status; it follows the reason. */
  next: Readonly<Partial<Record<number, string>>>
  /** Throws a 400 that names every fault of an input that is not as `input` says. */
  call(input: unknown, context: ToolContext): Promise<object>
}

/** An object with these members and no other. */
export const closed = <P extends TProperties>(members: P) => Type.Object(members, { additionalProperties: false })

/** The members of `record` that `shape` has. */
export function pick<O extends TObject>(record: object, { properties }: O): Static<O> {
  return Object.fromEntries(Object.entries(record).filter(([member]) => member in properties)) as Static<O>
}

/** Faults that are told of one input. */
const MOST_FAULTS = 10
/** Characters of a member's name that are told: the model chose it. */
const LONGEST_PATH = 200

export function tool<I extends TObject, O extends TObject>(
  given: Omit<Tool, 'input' | 'output' | 'call' | 'next'> & {
    input: I
    output: O
    next?: Tool['next']
    call(input: Static<I>, context: ToolContext): Promise<Static<O>>
  },
): Tool {
  const check = valueCheck(given.input, 'the input')
  return {
    next: {},
    ...given,
    call: (input, context) => {
      refuseFaults(check, input)
      return given.call(input as Static<I>, context)
    },
  }
}

function refuseFaults(check: ValueCheck, input: unknown): void {
  const faults = check(input)
  if (faults.length === 0) return
  const told = faults
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => `${path.slice(0, LONGEST_PATH)} ${message}`.trim())
  const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : []
  throw invalid([...told, ...more].join('; '), faults.slice(0, MOST_FAULTS))
}
