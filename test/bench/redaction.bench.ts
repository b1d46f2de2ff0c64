// A large document from an agent with ten secrets, none of them in the document, compared with one from a person.
import * as Type from 'typebox'
import { noLog } from '../../platform/core/log/log.ts'
import { implement } from '../../platform/http/implement.ts'
import { createHttpServer } from '../../platform/http/server.ts'
import { Masker } from '../../platform/secrets/masking/masker.ts'
import { operation } from '../../schemas/operations/operation.ts'
import { compare, medians, timed } from './report.ts'

const MIB = 1024 * 1024
const ROUNDS = 15
const AGENT = '5f0c1c1e-8f0d-4b8e-9d5c-0f2b6f3f9a11'

const caller = { id: AGENT, actor: 'agent:writer', may: [] }
const masker = new Masker(Array.from({ length: 10 }, (_, at) => `secret-${at}-${'0123456789abcdef'.repeat(2)}`))
const app = await createHttpServer({
  service: 'svc-bench',
  version: 'bench',
  log: noLog,
  config: { bind: '127.0.0.1', hosts: [], tokensFile: null },
  health: async () => ({}),
  callers: () => ({ find: async () => caller, ofProcess: async () => null, ofToken: async () => null }),
  maskerOf: async () => masker,
})
const write = operation('bench.write', 'POST /documents', {
  summary: 'Write a document',
  guard: 'none',
  body: Type.Object({ title: Type.String(), content: Type.String() }),
  bodyLimit: 5 * MIB,
  reply: { 204: null },
})
implement(app, write, async () => undefined)

const line = 'All work and no play makes Jack a dull boy.\n'
const body = JSON.stringify({ title: 'A document', content: line.repeat(Math.ceil(MIB / line.length)) })
const headers = { 'content-type': 'application/json' }
const writeAs = (caller: Record<string, string>) => () =>
  timed(() => app.inject({ method: 'POST', url: '/documents', headers: { ...headers, ...caller }, body }))

const { ours, floor } = await medians(ROUNDS, { ours: writeAs({ 'x-svc-agent': AGENT }), floor: writeAs({}) })
compare({ what: 'a document of 1 MiB from an agent with 10 secrets, vs a person', ours, floor, unit: 'ms', bound: 10 })
await app.close()
