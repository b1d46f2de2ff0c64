// A server that answers every operation with long names, ids and states, derived from its schema.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { TSchema } from 'typebox'
import type { Operation } from '../../../schemas/operations/operation.ts'
import { everyService } from '../../../schemas/operations/services.ts'

const ROWS = 2
const TIME = '2026-01-31T09:00:00.000Z'
const NAMES = /(^|_)(name|owner|actor|by|holder|sink|queue|source|tool|agent|identifier)$/
const IDS = /(^|_)(id|uuid)$/
const PLACES = /(path|file|location|directory|url)$/
/** Schema keywords that are read here. */
type Schema = TSchema & Record<string, any>

/** Values that no table may cut. */
export interface Samples {
  env: Record<string, string>
  names: Set<string>
  ids: Set<string>
  states: Set<string>
  close(): void
}

class Sampler {
  #count = 0

  constructor(readonly samples: Samples) {}

  of(schema: Schema, name = ''): unknown {
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return this.#state(schema.enum)
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((each: Schema) => this.of(each, name)))
    const variants: Schema[] | undefined = schema.anyOf ?? schema.oneOf
    if (variants) return this.#variant(variants, name)
    if (schema.type === 'object') return this.#object(schema)
    if (schema.type === 'array') return Array.from({ length: ROWS }, () => this.of(schema.items ?? {}, name))
    if (schema.type === 'boolean') return true
    if (schema.type === 'integer' || schema.type === 'number') return schema.maximum ?? 123_456
    return schema.type === 'null' ? null : this.#text(schema, name)
  }

  #variant(variants: Schema[], name: string): unknown {
    const some = variants.filter(({ type }) => type !== 'null')
    if (some.every((each) => each.const !== undefined)) return this.#state(some.map((each) => each.const))
    const members = ({ properties = {} }: Schema) => Object.keys(properties).length
    return this.of(some.toSorted((one, other) => members(other) - members(one))[0] ?? {}, name)
  }

  #object({ properties = {} }: Schema): Record<string, unknown> {
    return Object.fromEntries(Object.entries<Schema>(properties).map(([name, schema]) => [name, this.of(schema, name)]))
  }

  #state(values: unknown[]): unknown {
    const longest = values.toSorted((one, other) => String(other).length - String(one).length)[0]
    if (typeof longest === 'string') this.samples.states.add(longest)
    return longest
  }

  #text({ format }: Schema, name: string): string {
    const count = ++this.#count
    if (format === 'date-time' || name.endsWith('_at') || name === 'since') return TIME
    if (format === 'uuid' || IDS.test(name)) {
      // Multiplication by an odd number spreads the first digits.
      const start = ((count * 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
      const id = `${start}-0000-4000-8000-${String(count).padStart(12, '0')}`
      this.samples.ids.add(id)
      return id
    }
    if (PLACES.test(name)) return `/home/mia/${'folder/'.repeat(9)}file-${count}.yml`
    if (!NAMES.test(name)) return `text ${count} ${'of many words '.repeat(6)}`
    const long = `a-long-name-of-${name.replace('_', '-')}-${count}`
    this.samples.names.add(long)
    return long
  }
}

export async function sampleReplies(): Promise<Samples> {
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url!, 'http://any')
    const [, service, ...rest] = pathname.split('/')
    const path = `/${rest.join('/')}`
    const operation = operationAt(service!, request.method!, path)
    response.writeHead(operation || path === '/health' ? 200 : 404, { 'content-type': 'application/json' })
    if (path === '/health') return response.end(JSON.stringify({ ...HEALTH, service: `svc-${service}` }))
    // A new sampler per request: the same request gets the same reply.
    response.end(JSON.stringify(replyOf(operation, searchParams, new Sampler(samples))))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const env = Object.fromEntries(
    everyService.map(({ service }) => [`SVC_${service.toUpperCase()}_URL`, `${base}/${service}`]),
  )
  const samples: Samples = { env, names: new Set(), ids: new Set(), states: new Set(), close: () => server.close() }
  return samples
}

const HEALTH = { status: 'ok', version: '9.9.9', uptime_secs: 123_456 }

function operationAt(service: string, method: string, path: string): Operation | undefined {
  const group = everyService.find((each) => each.service === service)
  const fits = (operation: Operation) =>
    operation.method === method && new RegExp(`^${operation.path.replace(/:\w+/g, '[^/]+')}$`).test(path)
  // Fixed paths precede those with parameters.
  return Object.values(group?.operations ?? {})
    .filter(fits)
    .toSorted((one, other) => one.path.split(':').length - other.path.split(':').length)[0]
}

function replyOf(operation: Operation | undefined, query: URLSearchParams, sampler: Sampler): unknown {
  if (operation === undefined) return {}
  if (operation.kind === 'list') {
    const items = Array.from({ length: ROWS }, () => sampler.of(operation.item))
    return query.has('limit') || query.has('offset') ? { items, total: ROWS, limit: ROWS, offset: 0 } : items
  }
  if (operation.kind !== 'call') return {}
  const [schema] = Object.values(operation.reply)
  return schema ? sampler.of(schema as Schema) : {}
}
