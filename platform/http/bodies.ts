// What a request body may be: JSON, or nothing where nothing is needed.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inPieces, type Pieces } from '../async/pieces.ts'
import { decoded, holdsPrototype, JSON_BOUNDS, jsonExcess, type JsonExcess } from '../json.ts'
import { invalid } from '../problem.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
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
      bytes.length === 0 ? undefined : inPieces(readBody(request, bytes)),
  )
  app.addHook('preValidation', (request, _reply, done) => {
    checkPresence(request)
    if (request.mayHoldNoText) checkText(request)
    done()
  })
}

/** The value of a body, bounded in depth and number before it is made. */
function* readBody(request: FastifyRequest, bytes: Buffer): Pieces<unknown> {
  // Decoding would put U+FFFD in place of what was meant, without a word.
  if (!isUtf8(bytes)) throw invalid('the body is not UTF-8: send JSON as UTF-8')
  const body = yield* decoded(bytes)
  const excess = yield* jsonExcess(body)
  if (excess) throw invalid(EXCESS[excess], undefined, 'too-complex')
  request.mayHoldNoText = SUSPECT.test(body)
  yield
  const value = parsed(body)
  yield
  if (holdsPrototype(value)) throw invalid('the body is not valid JSON: it has the member "__proto__" or "constructor"')
  // The look at its shape has a turn of its own.
  yield
  return value
}

const EXCESS: Record<JsonExcess, string> = {
  'too-deep': `the body is nested deeper than ${JSON_BOUNDS.depth} levels`,
  'too-many-values': `the body holds more than ${JSON_BOUNDS.values} values`,
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch (error) {
    throw invalid(`the body is not valid JSON: ${jsonFault(error as Error)}`)
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

/** Throws 400 for a string that neither a process nor every database can hold. */
function checkText(request: FastifyRequest): void {
  if (request.routeOptions.config.anyText) return
  const waiting: { value: unknown; path: string }[] = [{ value: request.body, path: '' }]
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
