// Records of a service, made by its own create operations.
import { randomUUID } from 'node:crypto'
import type { Operation } from '../../schemas/operations/operation.ts'
import { sampleOf } from '../support/hostile-requests.ts'

type Send = (method: string, path: string, body?: unknown) => Promise<Response>

/** Adds items to a list if its create operation needs nothing else. */
export async function fill(
  send: Send,
  operations: readonly Operation[],
  list: Operation,
  path = list.path,
): Promise<void> {
  const create = operations.find((each) => each.kind === 'call' && each.method === 'POST' && each.path === list.path)
  if (!create || !('body' in create) || !create.body) return
  for (let index = 0; index < 5; index++)
    await (await send('POST', path, sampleOf(create.body, false, `-${index}-${randomUUID()}`))).text()
}

/** Creates a record for `operation` by POST to its collection; null if that fails. */
export async function createdFor(send: Send, operations: readonly Operation[], operation: Operation): Promise<any> {
  const [collection] = operation.path.split('/:')
  const create = operations.find((each) => each.kind === 'call' && each.method === 'POST' && each.path === collection)
  if (!create || !('body' in create) || !create.body) return null
  const response = await send('POST', create.path, sampleOf(create.body, false, randomUUID()))
  return response.ok ? recordOf(await response.json()) : null
}

/** The record itself, or the one in a field: `{success, document}`. */
const recordOf = (answer: any): any =>
  answer.id === undefined ? (Object.values<any>(answer).find((each) => each?.id !== undefined) ?? answer) : answer
