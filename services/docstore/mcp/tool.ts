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

export interface ToolContext {
  docstore: ClientOf<typeof docstoreOperations>
  orchestrator: ClientOf<typeof orchestratorOperations>
  controller: ClientOf<typeof controllerOperations>
  communicate: ClientOf<typeof communicateOperations>
  /** Default owner of memories. */
  self: string
  /** Room participant: an agent's id. */
  identifier: string
  readsOnly: boolean
}

export interface Tool {
  name: ToolName
  title: string
  description: string
  input: TObject
  output: TObject
  effect: 'reads' | 'adds' | 'changes' | 'deletes'
  /** Next step by status; appended to the error. */
  next: Readonly<Partial<Record<number, string>>>
  /** Throws 400 with every fault of `input`. */
  call(input: unknown, context: ToolContext): Promise<object>
}

export const closed = <P extends TProperties>(members: P) => Type.Object(members, { additionalProperties: false })

export function pick<O extends TObject>(record: object, { properties }: O): Static<O> {
  return Object.fromEntries(Object.entries(record).filter(([member]) => member in properties)) as Static<O>
}

const MOST_FAULTS = 10
/** A model can invent long field names. */
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
  const shown = faults
    .slice(0, MOST_FAULTS)
    .map(({ path, message }) => `${path.slice(0, LONGEST_PATH)} ${message}`.trim())
  const more = faults.length > MOST_FAULTS ? [`and ${faults.length - MOST_FAULTS} more`] : []
  throw invalid([...shown, ...more].join('; '), faults.slice(0, MOST_FAULTS))
}
