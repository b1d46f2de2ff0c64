// What a request body may be: JSON, or nothing where nothing is needed.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inPieces, type Pieces } from '../async/time-slices.ts'
import { decoded, holdsPrototype, JSON_BOUNDS, jsonExcess, PIECE, type JsonExcess } from '../json/json-bounds.ts'
import { parsedJson } from '../json/sliced-parse.ts'
import { invalid, Problem } from '../core/problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body is taken as bytes, whatever its type. */
    bytes?: boolean
    /** The body may be left out although the route has a schema for it. */
    bodyOptional?: boolean
    /** Changes nothing, whatever its method. */
    readOnly?: boolean
    /**
     * Strings of the body may hold NUL and halves of surrogate pairs: what takes it tells such faults in its own
     * way.
     */
    anyText?: boolean
  }
  interface FastifyRequest {
    /** The body has escapes that may stand for what is no text. */
    mayHoldNoText: boolean
  }
}

/** Escapes of NUL and of surrogates: rare enough to look at a body again for. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/

/** JSON alone is understood (merge patches too), and an empty body counts as none whatever its type. */
export function installBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('mayHoldNoText', false)
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json$/,
    { parseAs: 'buffer' },
    // A large body is looked at in pieces, so that everything else goes on.
    async (request: FastifyRequest, bytes: Buffer) =>
      request.routeOptions.config.bytes ? bytes : bytes.length === 0 ? undefined : inPieces(readBody(request, bytes)),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (request.routeOptions.config.bytes) return bytes
    throw new Problem(415, 'the body should be JSON: send Content-Type: application/json')
  })
  app.addHook('preValidation', (request, _reply, done) => {
    checkPresence(request)
    if (request.mayHoldNoText && !request.routeOptions.config.anyText) checkText(request.body)
    done()
  })
}

/** The value of a body, bounded in depth and number before it is made. */
function* readBody(request: FastifyRequest, bytes: Buffer): Pieces<unknown> {
  return yield* readJson(bytes, 'body', (text) => (request.mayHoldNoText = SUSPECT.test(text)))
}

/**
 * The value of JSON as it came over the wire; `what` it is called where it is refused: `body`, `frame`. Throws 400 for
 * what is no UTF-8, no JSON, or holds too much. `seen` is shown the text.
 */
export function* readJson(bytes: Buffer, what: string, seen?: (text: string) => void): Pieces<unknown> {
  // Decoding would put U+FFFD in place of what was meant, without a word.
  if (!isUtf8(bytes)) throw invalid(`the ${what} is not UTF-8: send JSON as UTF-8`)
  const text = yield* decoded(bytes)
  const excess = yield* jsonExcess(text)
  if (excess) throw invalid(`the ${what} ${EXCESS[excess]}`, undefined, 'too-complex')
  seen?.(text)
  yield
  const value = yield* parse(text, what)
  yield
  if (holdsPrototype(value))
    throw invalid(`the ${what} is not valid JSON: it has the member "__proto__" or "constructor"`)
  // The look at its shape has a turn of its own.
  yield
  return value
}

const EXCESS: Record<JsonExcess, string> = {
  'too-deep': `is nested deeper than ${JSON_BOUNDS.depth} levels`,
  'too-many-values': `holds more than ${JSON_BOUNDS.values} values`,
  'too-long-name': `has a member whose name is longer than ${PIECE} characters`,
}

function* parse(text: string, what: string): Pieces<unknown> {
  try {
    return yield* parsedJson(text)
  } catch (error) {
    throw invalid(`the ${what} is not valid JSON: ${jsonFault(error as Error)}`)
  }
}

/** The parser's own words without the text around the fault, which may hold a secret. */
function jsonFault(error: Error): string {
  const place = /at position \d+/.exec(error.message)?.[0]
  return place ? `look ${place}` : 'it ends too early, or holds something that is no JSON'
}

function checkPresence(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { schema, config } = request.routeOptions
  if (schema?.body === undefined) {
    const members = typeof request.body === 'object' && request.body !== null ? Object.keys(request.body) : []
    if (members.length > 0)
      throw invalid(
        `this request takes no body, instead got "${members[0]}"`,
        members.map((path) => ({
          path,
          message: 'is not a member: this request takes no body',
          code: 'unknown-member',
        })),
      )
  } else if (request.body === undefined || request.body === null) {
    if (!config.bodyOptional) throw invalid('this request needs a JSON body')
    request.body = {}
  }
}

/** Throws 400 for a string of `whole` that neither a process nor every database can hold. */
export function checkText(whole: unknown): void {
  const waiting: { value: unknown; path: string }[] = [{ value: whole, path: '' }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next
    if (typeof value === 'string') refuseNoText(value, path)
    else if (typeof value === 'object' && value !== null) {
      for (const [member, below] of Object.entries(value)) {
        refuseNoText(member, path)
        waiting.push({ value: below, path: path === '' ? member : `${path}.${member}` })
      }
    }
  }
}

function refuseNoText(text: string, path: string): void {
  const seen = text.includes('\0') ? 'a NUL character' : /\p{Surrogate}/u.test(text) ? 'half of a surrogate pair' : null
  if (seen)
    throw invalid(`${path || 'the body'} holds ${seen}: remove it`, [
      { path, message: `holds ${seen}`, code: 'invalid-value' },
    ])
}
