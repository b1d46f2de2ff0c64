import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import compress from '@fastify/compress'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import type { Operation } from '../../schemas/operations/operation.ts'
import { strictJson } from '../../schemas/validation/text.ts'
import {
  cursorMembers,
  DEFAULT_PAGE,
  LARGEST_PAGE,
  pageMembers,
  type Paged,
  type PageQuery,
  type Slice,
} from '../../schemas/operations/page.ts'
import { hasTime, nextTurn } from '../async/time-slices.ts'
import { invalid } from '../core/problem.ts'
import type { CursorAsked } from '../store/keyset.ts'
import type { PageLimits } from '../store/page.ts'
import { COMPRESSED_FROM } from './limits.ts'

/** Returns the effective limits; null for the whole list. */
export function pageOf(query: PageQuery, largest = LARGEST_PAGE): PageLimits | null {
  if (query.limit === undefined && query.offset === undefined) return null
  return { limit: limitOf(query, largest), offset: query.offset ?? 0 }
}

const POSITION = { ...pageMembers, ...cursorMembers }
const NAME_LENGTH = 16

/** Names a list with its filters and order, whatever the page. */
export function listName({ id }: Operation, { params, query }: Pick<FastifyRequest, 'params' | 'query'>): string {
  const filters = Object.entries(query as object).filter(([name]) => !(name in POSITION))
  const facts = [id, params, filters.sort(([a], [b]) => (a < b ? -1 : 1))]
  return createHash('sha256').update(strictJson(facts)).digest('base64url').slice(0, NAME_LENGTH)
}

/** Null without a cursor. Throws 400 for two positions. */
export function cursorOf(query: PageQuery, largest = LARGEST_PAGE, list?: string): CursorAsked | null {
  const { after, before, offset } = query
  const given = Object.entries({ after, before, offset }).filter(([, value]) => value !== undefined)
  if (given.length > 1 && (after ?? before) !== undefined) {
    const message = `expected one of after, before and offset; got ${given.map(([name]) => name).join(' and ')}`
    throw invalid(message, [{ path: given.at(-1)![0], message, code: 'conflicting-members' }])
  }
  const limit = limitOf(query, largest)
  if (after !== undefined) return { limit, side: 'after', cursor: after, list }
  return before === undefined ? null : { limit, side: 'before', cursor: before, list }
}

const limitOf = ({ limit = DEFAULT_PAGE }: PageQuery, largest: number): number => Math.min(Math.max(limit, 1), largest)

export function pageAnswer<T>(
  found: readonly T[] | { items: T[]; total: number } | Slice<T>,
  page: PageLimits | null,
): readonly T[] | Paged<T> | Slice<T> {
  if ('next' in found) return found
  if (!('total' in found)) {
    if (page === null) return found
    return { items: found.slice(page.offset, page.offset + page.limit), total: found.length, ...page }
  }
  return page === null ? found.items : { ...found, ...page }
}

/**
 * Of the route of a list. Other answers are not compressed: the size of one that has a secret beside text of an
 * attacker's choice reveals the secret (BREACH). More than a few kilobytes are compressed outside the event loop.
 */
export const COMPRESSED: RouteOptions['compress'] = {
  encodings: ['gzip'],
  threshold: COMPRESSED_FROM,
  // Not errors, which repeat parts of the request.
  customTypes: /^application\/json(?:;|$)/,
}

/** Call before adding routes. Requests are not decompressed. */
export async function installCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, { global: false })
}

const LIST_PART = 500

/** Answers 304 if the client has the list. A long one is sent in parts. */
export async function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  answered: object,
): Promise<FastifyReply> {
  const parts: string[] = []
  const digest = createHash('sha256')
  for await (const part of textOf(answered)) {
    parts.push(part)
    digest.update(part)
  }
  // Weak: a compressed answer has the same tag.
  const tag = `W/"${digest.digest('base64url')}"`
  // A browser would keep what a session has read after its end.
  const isKept = request.session === null
  void reply.headers({
    ...(isKept ? { 'cache-control': 'private, no-cache' } : {}),
    vary: 'accept-encoding',
    etag: tag,
  })
  if (!hasTag(request, tag))
    return reply.type('application/json; charset=utf-8').send(parts.length === 1 ? parts[0] : Readable.from(parts))
  // Without a stream, the answer to HEAD would have the length 0.
  return reply.code(304).send(request.method === 'HEAD' ? Readable.from([]) : undefined)
}

const textOf = (answered: object): Iterable<string> | AsyncIterable<string> =>
  Array.isArray(answered) && answered.length > LIST_PART ? listText(answered) : [strictJson(answered)]

/** Compares as RFC 9110 does for If-None-Match: weakly. */
function hasTag({ headers }: FastifyRequest, tag: string): boolean {
  const given = (headers['if-none-match'] ?? '').split(',').map((each) => each.trim())
  return given.includes('*') || given.some((each) => each.replace(/^W\//, '') === tag.slice(2))
}

/** Serialises a long list in slices. */
async function* listText(items: readonly unknown[]): AsyncGenerator<string> {
  yield '['
  for (let at = 0; at < items.length; at += LIST_PART) {
    if (!hasTime()) await nextTurn()
    yield (at > 0 ? ',' : '') + strictJson(items.slice(at, at + LIST_PART)).slice(1, -1)
  }
  yield ']'
}
