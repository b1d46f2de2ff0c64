// Redacts what agents send, before a handler stores, logs or sends it.
import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { Operation } from '../../schemas/operations/operation.ts'
import { UNREDACTED } from '../../schemas/access/unredacted.ts'
import { inPieces } from '../async/time-slices.ts'
import type { Actor } from '../core/actor.ts'
import { invalid, type Problem } from '../core/problem.ts'
import type { Masker, Words } from '../secrets/masking/masker.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Finds the secrets of the agent that writes; null for others, and before the caller is identified. */
    masker: Masker | null
  }
  interface FastifyContextConfig {
    redaction?: Redaction
  }
}

/** Returns the masker of an agent's secrets; null for an unknown agent. */
export type MaskerOf = (agentId: string) => Promise<Masker | null>

interface Redaction {
  /** Field names and choices of the schemas: public, so never redacted. */
  words: ReadonlySet<string>
  /** Paths of fields that pass unchanged. */
  unredacted: readonly (readonly string[])[]
  /** Refuses secrets: a guarded write sets something, and a redacted setting would be another one. */
  refuses: boolean
  /** The path is stored. Other paths name what exists, and pass unchanged. */
  storesPath: boolean
}

type Declared = Partial<Record<'params' | 'query' | 'body' | 'sends', TSchema>> & {
  guard?: string
  storesPath?: boolean
}

export function redactionOf(operation: Operation): Redaction {
  const { params, query, body, sends, guard = 'none', storesPath = false } = operation as Declared
  const unredacted = Object.keys(UNREDACTED[operation.id] ?? {})
  return {
    words: wordsOf([params, query, body, sends]),
    unredacted: unredacted.map((path) => (path === '' ? [] : path.split('.'))),
    refuses: guard !== 'none',
    storesPath,
  }
}

const NO_SCHEMA: Redaction = { words: new Set(), unredacted: [], refuses: false, storesPath: false }

function wordsOf(schemas: readonly unknown[]): Set<string> {
  const words = new Set<string>()
  const waiting = [...schemas]
  while (waiting.length > 0) {
    const schema = waiting.pop()
    if (typeof schema !== 'object' || schema === null) continue
    const { properties, enum: choices, const: only } = schema as Record<string, unknown>
    const listed = Array.isArray(choices) ? choices : []
    for (const word of [...Object.keys(properties ?? {}), ...listed, only])
      if (typeof word === 'string') words.add(word)
    waiting.push(...Object.values(schema))
  }
  return words
}

/** Call after the hook that identifies the caller. */
export function installRedaction(app: FastifyInstance, maskerOf: MaskerOf): void {
  app.decorateRequest('masker', null)
  app.addHook('onRequest', (request, reply, done) => {
    const writer = writerOf(request.actor)
    if (writer === undefined) return done()
    return maskerOf(writer.agent).then((masker) => {
      request.masker = masker
      if (masker !== null && masker.mask(request.id) !== request.id) reply.header('x-request-id', renewId(request))
    })
  })
  app.addHook('preHandler', (request, _reply, done) => {
    const { masker } = request
    if (masker !== null && !masker.idle && writes(request)) return redactRequest(request, masker)
    done()
  })
}

/** The agent whose secrets the request can contain. */
const writerOf = ({ actor, agent, sender }: Actor): Actor['sender'] => (agent === undefined ? sender : { agent, actor })

/** Sockets stay open and can write later. */
const writes = ({ routeOptions, ws }: FastifyRequest): boolean => routeOptions.config.readOnly !== true || ws

function renewId(request: FastifyRequest): string {
  const id = randomUUID()
  Object.assign(request, { id })
  request.actor.requestId = id
  return id
}

/** Address without the query, for the log. Undefined for an agent that was refused before its secrets were known. */
export function shownPath({ originalUrl, actor, masker }: FastifyRequest): string | undefined {
  const path = originalUrl.split('?')[0]!
  return writerOf(actor) === undefined ? path : masker?.mask(decoded(path))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Redacts a value by the secrets of the calling agent. */
export async function redact<T>(request: FastifyRequest, value: T): Promise<T> {
  const { masker } = request
  return masker === null || masker.idle ? value : inPieces(masker.masking(value, publicWords(request)))
}

/** The agent's id and name are public, even if its environment contains them. */
function publicWords({ actor, routeOptions }: FastifyRequest): Words {
  const { words } = routeOptions.config.redaction ?? NO_SCHEMA
  const writer = writerOf(actor)
  return { has: (text) => words.has(text) || text === writer?.agent || `agent:${text}` === writer?.actor }
}

/** Lengths and forms are those that were sent: this follows the validation. */
async function redactRequest(request: FastifyRequest, masker: Masker): Promise<void> {
  const redaction = request.routeOptions.config.redaction ?? NO_SCHEMA
  request.query = await redactedPart(request, 'querystring', request.query, redaction)
  request.body = Buffer.isBuffer(request.body)
    ? await redactedBytes(masker, request.body)
    : await redactedPart(request, 'body', request.body, redaction)
  // Another name would be another queue.
  if (redaction.storesPath) await redactedPart(request, 'params', request.params, { ...redaction, refuses: true })
}

async function redactedPart(
  request: FastifyRequest,
  part: 'body' | 'params' | 'querystring',
  sent: unknown,
  { unredacted, refuses }: Redaction,
): Promise<unknown> {
  const kept = part === 'body' ? unredacted : []
  if (kept.some((path) => path.length === 0)) return sent
  const masked = await redact(request, sent)
  if (masked === sent) return sent
  const redacted = kept.reduce((whole, path) => restored(whole, sent, path), masked)
  const changed = changedPaths(sent, redacted)
  if (changed.length === 0) return sent
  // Without the secret, a name or an id is no longer valid.
  const validate = request.getValidationFunction(part) as ((value: unknown) => boolean) | undefined
  if (refuses || validate?.(redacted) === false) throw secretProblem(changed, part, request)
  return redacted
}

async function redactedBytes(masker: Masker, bytes: Buffer): Promise<Buffer> {
  const encoding = isUtf8(bytes) ? 'utf8' : 'latin1'
  const text = bytes.toString(encoding)
  const masked = await inPieces(masker.masking(text, NO_SCHEMA.words))
  return masked === text ? bytes : Buffer.from(masked, encoding)
}

function restored(redacted: any, sent: any, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return sent
  if (sent?.[name] === undefined) return redacted
  return { ...redacted, [name]: restored(redacted[name], sent[name], rest) }
}

/** Paths of redacted texts. A redacted field name counts as a change of its object. */
function changedPaths(sent: any, redacted: any, path = ''): string[] {
  if (sent === redacted) return []
  if (typeof sent !== 'object' || typeof redacted !== 'object' || sent === null) return [path]
  const names = Object.keys(sent)
  if (!names.every((name) => Object.hasOwn(redacted, name))) return [path]
  return names.flatMap((name) => changedPaths(sent[name], redacted[name], path === '' ? name : `${path}.${name}`))
}

const NAMED = 5

function secretProblem(paths: readonly string[], part: string, { actor }: FastifyRequest): Problem {
  const whole = part === 'querystring' ? 'the query' : part === 'params' ? 'the address' : 'the body'
  const message = `contains a secret of ${writerOf(actor)?.actor}, such as a value of its env, which is not accepted here: remove it`
  const errors = paths.slice(0, NAMED).map((path) => ({ path, message, code: 'invalid-value' as const }))
  return invalid(errors.map(({ path }) => `${path || whole} ${message}`).join('; '), errors)
}
