// Contract tests that every service must pass, on both databases, generated from its operations.
import { randomUUID } from 'node:crypto'
import parseExposition from 'parse-prometheus-text-format'
import type { TSchema } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAudit } from '../../schemas/operations/audit.ts'
import { endpointOf, isWrite, type Operation, type ListOperation } from '../../schemas/operations/operation.ts'
import type { Served } from '../../platform/service/define.ts'
import { onEachDatabase, type TestDatabase } from '../support/databases.ts'
import { eventually } from '../support/eventually.ts'
import { hostileRequests, sampleOf, samplePath, sampleQuery } from '../support/hostile-requests.ts'
import { startServices, type ServiceStand } from '../support/services.ts'
import { describeCursors } from './cursors.ts'
import { createdFor, fill } from './sample-records.ts'

/** Statuses that any operation may return in addition to its documented ones. */
const ANYWHERE = [400, 401, 403, 404, 405, 413, 415, 421, 503]
/** Part of every secret value, to search for leaks. */
const CANARY = 'canary-3f9b1c'
/** They show what other agents may reach, decisions on them, who holds a token, or paths of the machine. */
const GUARDED_READS = new Set([
  'orchestrator.getAgentSandbox',
  'orchestrator.previewPrompt',
  'gateway.showInbox',
  'controller.listTokens',
  'controller.listSettings',
  'controller.checkMachine',
])
const SECRET_MEMBERS = new Set(['env', 'secret', 'token'])

/** Registers the tests of service `name`, which runs with the services it needs. */
export function serviceContract(all: readonly Served[], name: string): void {
  const served = all.find((each) => each.name === name)!
  const chosen = all.filter((each) => needed(all, served).has(each.name))
  const figures = served.definition.metricsPath ?? '/metrics'
  const operations = Object.values<Operation>(served.definition.operations.operations)

  onEachDatabase((database: TestDatabase) => {
    let stand: ServiceStand
    const at = () => stand.host.urls[name]!
    beforeAll(async () => {
      stand = await startServices(chosen, { url: database.url })
    })
    afterAll(() => stand.close())

    const send = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      fetch(at() + path, {
        method,
        // The local user, with full access.
        headers: {
          'x-svc-actor': 'operator',
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
    const json = async (path: string): Promise<any> => (await send('GET', path)).json()

    test('reports its health, name and version, and serves valid Prometheus metrics', async () => {
      expect(await json('/health')).toMatchObject({ status: 'ok', service: `svc-${name}`, version: '9.9.9' })
      const families = parseExposition(await (await send('GET', figures)).text())
      const names = families.map((family) => family.name)
      expect(names).toEqual(expect.arrayContaining(['service_info', 'http_requests_total']))
      expect(new Set(names).size).toBe(names.length)
      // Rules of promtool: https://prometheus.io/docs/practices/naming
      const misnamed = families.filter(
        ({ name, type, help }) =>
          help === '' || /[a-z][A-Z]|:/.test(name) || (type === 'COUNTER') !== name.endsWith('_total'),
      )
      expect(misnamed.map((family) => family.name)).toEqual([])
    })

    test('documents exactly its operations, each under its id', async () => {
      const { paths } = await json('/openapi.json')
      const documented = Object.entries<Record<string, { operationId?: string }>>(paths).flatMap(([path, methods]) =>
        Object.entries(methods).flatMap(([method, { operationId }]) =>
          operationId?.startsWith('common.') || operationId === undefined
            ? []
            : [`${operationId} ${method.toUpperCase()} ${path}`],
        ),
      )
      expect(documented.sort()).toEqual(operations.map((each) => `${each.id} ${endpointOf(each)}`).sort())
    })

    test('declares a guard on every write, and on the reads that need one', () => {
      const said = operations.filter((each) => 'guard' in each).map(({ id }) => id)
      expect(said).toEqual(operations.filter((each) => isWrite(each) || GUARDED_READS.has(each.id)).map(({ id }) => id))
    })

    test.each(operations.filter(isPlain).map((each) => [each.id, each] as const))(
      'answers hostile requests to %s as documented, without changes if refused',
      async (_id, operation) => {
        const allowed = new Set([...ANYWHERE, ...successes(operation), ...(operation.errors ?? [])])
        const refused: string[] = []
        for (const { what, path, headers, body } of hostileRequests(operation)) {
          const id = `hostile-${randomUUID()}`
          const response = await send(operation.method, path, body, { ...headers, 'x-request-id': id })
          const text = await response.text()
          expect(allowed, `${what}: ${response.status} ${text.slice(0, 200)}`).toContain(response.status)
          if (response.status < 400) continue
          refused.push(id)
          expect(JSON.parse(text), what).toMatchObject({ code: expect.any(String) })
        }
        const takesAnything = operation.params ?? operation.query ?? ('body' in operation && operation.body)
        if (takesAnything) expect(refused).not.toEqual([])
        expect(await stand.db(`${name}_audit`).whereIn('request_id', refused)).toEqual([])
        expect(await json('/health')).toMatchObject({ status: 'ok' })
        expect({}).not.toHaveProperty('polluted')
      },
    )

    test.each(operations.filter(isOfRecord).map((each) => [each.id, each] as const))(
      'returns 404 from %s for an unknown resource',
      async (_id, operation) => {
        const schema = 'body' in operation ? operation.body : undefined
        const body = schema === undefined ? undefined : sampleOf(schema)
        const response = await send(operation.method, samplePath(operation) + sampleQuery(operation), body)
        expect(response.status, await response.text()).toBe(404)
      },
    )

    test('audits every accepted write with actor and request id', async () => {
      const taken: string[] = []
      for (const operation of operations.filter((each) => isWrite(each) && isSafe(each))) {
        const id = `audit-${randomUUID()}`
        const made = operation.path.includes('/:') ? await createdFor(send, operations, operation) : {}
        if (!made) continue
        const path = operation.path.replace(/:\w+/, encodeURIComponent(String(made.id)))
        const body = 'body' in operation && operation.body ? sampleOf(operation.body, false, randomUUID()) : undefined
        const who = { 'x-request-id': id, 'x-svc-actor': 'mira' }
        const response = await send(operation.method, path, body, who)
        await response.text()
        if (!response.ok) continue
        taken.push(operation.id)
        const rows = await json(`/audit?request_id=${id}`)
        expect(rows[0], operation.id).toMatchObject({ actor: 'mira', request_id: id, seq: expect.any(Number) })
      }
      const creates = operations.some((each) => each.kind === 'call' && 201 in each.reply)
      if (creates) expect(taken).not.toEqual([])
    })

    test.each(operations.filter(isList).map((each) => [each.id, each] as const))(
      'returns pages of %s that add up to the whole list',
      async (_id, operation) => {
        await fill(send, operations, operation)
        if (operation.path.includes(':')) return
        // Recently created records may still change between two responses.
        await eventually(async () => {
          const whole = await json(operation.path)
          const pages = await Promise.all(
            Array.from({ length: Math.ceil(whole.length / 2) + 1 }, (_each, index) =>
              json(`${operation.path}?limit=2&offset=${index * 2}`),
            ),
          )
          expect(pages.flatMap((page) => page.items)).toEqual(whole)
          for (const page of pages) expect(page).toMatchObject({ total: whole.length, limit: 2 })
          return true
        })
        expect(await json(`${operation.path}?offset=${Number.MAX_SAFE_INTEGER}`)).toMatchObject({ items: [] })
      },
    )

    describeCursors(
      [...operations, listAudit].filter(isList).filter(({ cursors }) => cursors),
      {
        db: () => stand.db,
        json,
        status: async (path) => (await send('GET', path)).status,
        place: async (list) => {
          const owner = list.path.includes(':') ? await createdFor(send, operations, list) : null
          const path = owner
            ? list.path.replace(/:\w+/, encodeURIComponent(String(owner.id ?? owner.name)))
            : samplePath(list)
          return (await send('GET', path)).ok ? path : null
        },
        fill: (list, path) => fill(send, operations, list, path),
      },
    )

    test.each(operations.filter(isPatchOfRecord).map((each) => [each.id, each] as const))(
      'keeps both of two concurrent writes of %s',
      async (_id, operation) => {
        const made = await createdFor(send, operations, operation)
        if (!made || !('body' in operation)) return
        const path = operation.path.replace(/:\w+/, encodeURIComponent(String(made.id ?? made.name)))
        const write = async (member: string) =>
          (await send('PATCH', path, { [member]: `changed-${member}` })).ok ? [`changed-${member}`] : []
        const written = (await Promise.all(textMembers(operation.body, made).map(write))).flat()
        expect(written.length).toBeGreaterThan(1)
        const now = JSON.stringify(await json(path))
        expect(written.filter((value) => !now.includes(value))).toEqual([])
      },
    )

    test('opens twice on the same tables', async () => {
      await stand.reopen()
      expect(await json('/health')).toMatchObject({ status: 'ok' })
    })

    test('leaks no secret into logs, metrics, errors or records', async () => {
      for (const operation of operations.filter((each) => isWrite(each) && isSafe(each))) {
        const body = 'body' in operation && operation.body ? withCanary(operation.body) : null
        if (!body) continue
        expect(await (await send(operation.method, samplePath(operation), body)).text()).not.toContain(CANARY)
      }
      for (const operation of operations.filter(isList).filter((each) => !each.path.includes(':')))
        expect(await (await send('GET', operation.path)).text()).not.toContain(CANARY)
      expect(await (await send('GET', figures)).text()).not.toContain(CANARY)
      expect(stand.log()).not.toContain(CANARY)
    })

    describe('shutdown', () => {
      test('reports degraded while the database is unavailable', async () => {
        await stand.db.destroy()
        expect(await json('/health')).toMatchObject({ status: 'degraded', reason: expect.any(String) })
        await stand.reopen()
      })

      test('stops under load without returning 500', async () => {
        const [list] = operations.filter(isList).filter((each) => !each.path.includes(':'))
        const ended = new AbortController()
        const statuses = new Set<number>()
        const load = async () => {
          while (!ended.signal.aborted)
            await send('GET', list?.path ?? '/health').then(
              (response) => response.text().then(() => void statuses.add(response.status)),
              () => ended.abort(),
            )
        }
        const loads = Array.from({ length: 8 }, load)
        await eventually(() => statuses.has(200))
        await stand.host.stop()
        ended.abort()
        await Promise.all(loads)
        expect(statuses).toContain(200)
        expect(statuses).not.toContain(500)
        await stand.reopen()
      }, 15_000)
    })
  })
}

/** The service and all that it needs, directly or not. */
function needed(all: readonly Served[], { name, needs }: Served): Set<string> {
  const further = all.filter((each) => needs.includes(each.name)).flatMap((each) => [...needed(all, each)])
  return new Set([name, ...further])
}

const isList = (operation: Operation): operation is ListOperation & Operation => operation.kind === 'list'
/** Addresses one existing record and does not create it. */
/** Not the wakes of a room, whose service does not run here. */
const isOfRecord = ({ id, kind, path, errors = [] }: Operation): boolean =>
  kind !== 'socket' && path.includes(':') && errors.includes(404) && id !== 'orchestrator.previewWakes'
/** Addresses a record of a collection, not a nested one. */
const isPatchOfRecord = ({ method, path }: Operation): boolean => method === 'PATCH' && path.split('/:').length === 2
/** A single response to a single request that does not end the daemon. */
const isPlain = (operation: Operation): boolean =>
  (operation.kind === 'call' || operation.kind === 'list') && isSafe(operation)
const isSafe = (operation: Operation): boolean => operation.path !== '/shutdown'

function successes(operation: Operation): number[] {
  return operation.kind === 'call' ? Object.keys(operation.reply).map(Number) : [200]
}

/** Free-text fields of a body that also appear in the record. */
function textMembers(body: unknown, record: object): string[] {
  const properties = Object.entries((body as { properties: Record<string, any> }).properties)
  const shown = JSON.stringify(record)
  return properties
    .filter(([name, schema]) => {
      const branches = [schema, ...(schema.anyOf ?? [])]
      return (
        shown.includes(`"${name}"`) &&
        branches.some((each) => each.type === 'string' && !each.format && !each.examples && !each.enum)
      )
    })
    .map(([name]) => name)
}

/** The smallest body with the canary in every secret field; null without such fields. */
function withCanary(body: TSchema): object | null {
  const { properties = {} } = body as { properties?: Record<string, { type?: string }> }
  const secrets = Object.entries(properties).filter(([member]) => SECRET_MEMBERS.has(member))
  if (secrets.length === 0) return null
  const planted = secrets.map(([member, { type }]) => [member, type === 'string' ? CANARY : { API_KEY: CANARY }])
  return { ...(sampleOf(body, false, randomUUID()) as object), ...Object.fromEntries(planted) }
}
