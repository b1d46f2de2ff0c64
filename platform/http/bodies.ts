import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inPieces, type Pieces } from '../async/time-slices.ts'
import { decoded, holdsPrototype, JSON_BOUNDS, jsonExcess, PIECE, type JsonExcess } from '../json/json-bounds.ts'
import { parsedJson } from '../json/sliced-parse.ts'
import { invalid, Problem } from '../core/problem.ts'
import { isEncoded } from '../json/content-encoding.ts'
import { textFault } from '../../schemas/validation/text.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    bytes?: boolean
    bodyOptional?: boolean
    readOnly?: boolean
    /** Paths whose NUL and lone surrogates the handler reports. */
    anyText?: RegExp
  }
  interface FastifyRequest {
    mayHoldInvalidText: boolean
  }
}

/** Matches escapes of NUL and of surrogates. */
const SUSPECT = /\\u(?:0000|[dD][89a-fA-F])/

/** Accepts only JSON. An empty JSON body counts as none. */
export function installBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('mayHoldInvalidText', false)
  app.addContentTypeParser(
    /^application\/([\w.-]+\+)?json$/,
    { parseAs: 'buffer' },
    async (request: FastifyRequest, bytes: Buffer) =>
      request.routeOptions.config.bytes ? bytes : bytes.length === 0 ? undefined : inPieces(readBody(request, bytes)),
  )
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: FastifyRequest, bytes: Buffer) => {
    if (request.routeOptions.config.bytes) return bytes
    throw new Problem(415, 'the body should be JSON: send Content-Type: application/json')
  })
  app.addHook('preParsing', (request, _reply, _payload, done) => {
    const encoding = request.headers['content-encoding']
    if (isEncoded(encoding) && !request.routeOptions.config.bytes)
      return done(new Problem(415, 'the body should not be compressed: send it without Content-Encoding'))
    done()
  })
  app.addHook('preValidation', (request, _reply, done) => {
    checkPresence(request)
    if (request.mayHoldInvalidText) checkText(request.body, request.routeOptions.config.anyText)
    checkText(request.params)
    checkText(request.query)
    done()
  })
}

function* readBody(request: FastifyRequest, bytes: Buffer): Pieces<unknown> {
  return yield* readJson(bytes, 'body', (text) => (request.mayHoldInvalidText = SUSPECT.test(text)))
}

/**
 * Parses untrusted JSON in slices. Throws 400 for invalid UTF-8 or JSON and for exceeded bounds; `what` names the
 * input in errors: `body`, `frame`.
 */
export function* readJson(bytes: Buffer, what: string, seen?: (text: string) => void): Pieces<unknown> {
  // Decoding would silently insert U+FFFD.
  if (!isUtf8(bytes)) throw invalid(`the ${what} is not UTF-8: send JSON as UTF-8`)
  const text = yield* decoded(bytes)
  const excess = yield* jsonExcess(text)
  if (excess) throw invalid(`the ${what} ${EXCESS[excess]}`, undefined, 'too-complex')
  seen?.(text)
  yield
  const value = yield* parse(text, what)
  yield
  if (holdsPrototype(value))
    throw invalid(`the ${what} is not valid JSON: it has the field "__proto__" or "constructor"`)
  // Validation gets a separate slice.
  yield
  return value
}

const EXCESS: Record<JsonExcess, string> = {
  'too-deep': `is nested deeper than ${JSON_BOUNDS.depth} levels`,
  'too-many-values': `has more than ${JSON_BOUNDS.values} values`,
  'too-long-name': `has a field name longer than ${PIECE} characters`,
}

function* parse(text: string, what: string): Pieces<unknown> {
  try {
    return yield* parsedJson(text)
  } catch (error) {
    throw invalid(`the ${what} is not valid JSON: ${jsonFault(error as Error)}`)
  }
}

/** The parser's message may quote a secret. */
function jsonFault(error: Error): string {
  const place = /at position \d+/.exec(error.message)?.[0]
  return place ? `error ${place}` : 'it ends too early, or contains something that is not JSON'
}

function checkPresence(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { schema, config } = request.routeOptions
  if (schema?.body === undefined) {
    const members = typeof request.body === 'object' && request.body !== null ? Object.keys(request.body) : []
    if (members.length > 0)
      throw invalid(
        `this request accepts no body, instead got the field "${members[0]}"`,
        members.map((path) => ({
          path,
          message: 'is not a field: this request accepts no body',
          code: 'unknown-member',
        })),
      )
  } else if (request.body === undefined || request.body === null) {
    if (!config.bodyOptional) throw invalid('this request needs a JSON body')
    request.body = {}
  }
}

/** Throws 400 for NUL and lone surrogates, except at the paths of `anyText`. */
export function checkText(whole: unknown, anyText?: RegExp): void {
  const waiting: { value: unknown; path: string }[] = [{ value: whole, path: '' }]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next
    if (typeof value === 'string') {
      if (!anyText?.test(path)) refuseInvalidText(value, path)
    } else if (typeof value === 'object' && value !== null) {
      for (const [member, below] of Object.entries(value)) {
        refuseInvalidText(member, path)
        waiting.push({ value: below, path: path === '' ? member : `${path}.${member}` })
      }
    }
  }
}

function refuseInvalidText(text: string, path: string): void {
  const seen = textFault(text)?.seen
  if (seen)
    throw invalid(`${path || 'the body'} contains ${seen}: remove it`, [
      { path, message: `contains ${seen}`, code: 'invalid-value' },
    ])
}
