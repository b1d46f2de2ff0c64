import { readdirSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { counted } from '../support/counts.ts'
import { DaemonStand } from '../support/daemon.ts'
import { root } from '../support/root.ts'

let stand: DaemonStand
beforeAll(async () => {
  stand = await DaemonStand.create()
  stand.write('policies/careful.yml', 'name: careful\nmode: deny_all\n')
  await stand.start()
  await stand.settled()
}, 60_000)
afterAll(() => stand.close())

interface Reply {
  status: number
  allow: string | undefined
  body: { code: string; detail: string }
}

function send(method: string, url: string, body?: string, type?: string): Promise<Reply> {
  // By default a DELETE does not send the length of its body.
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const headers = { ...length, ...(type === undefined ? {} : { 'content-type': type }) }
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.on('end', () =>
        resolve({ status: answer.statusCode!, allow: answer.headers.allow, body: JSON.parse(text || '{}') }),
      )
    })
    asked.on('error', reject)
    asked.end(body)
  })
}

const BODIES: [string | undefined, string | undefined][] = [
  [undefined, undefined],
  ['{}', 'application/json'],
  ['{"a":1}', 'application/json'],
  ['{"a":', 'application/json'],
  ['\xff\xfe', 'application/json'],
  ['a=1', 'application/x-www-form-urlencoded'],
  ['<a/>', 'text/xml'],
  ['--x\r\n', 'multipart/form-data; boundary=x'],
  ['text', undefined],
  ['x'.repeat(2 * 1024 * 1024), 'application/octet-stream'],
]

test('answers unknown addresses with 404 and methods with 405, whatever the body', async () => {
  let count = 0
  for (const base of [stand.controller, stand.orchestrator]) {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      for (const [body, type] of BODIES) {
        const unknown = await send(method, `${base}/nothing/here`, body, type)
        expect([unknown.status, unknown.body.code], `${method} ${type} ${body?.slice(0, 20)}`).toEqual([
          404,
          'not-found',
        ])
        const wrong = await send(method, `${base}/health`, body, type)
        expect([wrong.status, wrong.body.code], `${method} ${type}`).toEqual([405, 'method-not-allowed'])
        expect(wrong.allow).toMatch(/GET/)
        count += 2
      }
    }
  }
  counted('unknown addresses and wrong methods, with every body', count)
}, 60_000)

describe('unknown name', () => {
  const http: [string, string, string, unknown, number, string][] = [
    ['a path', 'GET', '/sourcess', undefined, 404, '/sources'],
    ['a path with an id', 'POST', '/sources/default/sinc', undefined, 404, '/sources/default/sync'],
    ['a source', 'GET', '/sources/defualt', undefined, 404, 'default'],
    ['the source of a plan', 'POST', '/plan', { source: 'defualt' }, 404, 'default'],
    ['a resource', 'GET', '/resources/policies/carefull', undefined, 404, 'policies/careful'],
    ['a kind in a path', 'GET', '/resources/polices/careful', undefined, 404, 'policies'],
    ['a kind in a query', 'GET', '/resources?kind=agnets', undefined, 400, 'agents'],
    ['a kind of drift', 'GET', '/drift?kind=polcies', undefined, 400, 'policies'],
    ['drift to revert', 'POST', '/drift/policies/carful/revert', undefined, 404, 'policies/careful'],
    ['drift to plan a revert of', 'POST', '/drift/policies/carful/plan', undefined, 404, 'policies/careful'],
    ['drift to accept', 'POST', '/drift/policies/carful/accept', undefined, 404, 'policies/careful'],
    ['a status', 'GET', '/resources?status=Raedy', undefined, 400, 'Ready'],
    ['a field of a body', 'POST', '/plan', { sourc: 'default' }, 400, 'source'],
    ['a kind of a target', 'POST', '/plan', { source: 'default', targets: ['agnets/x'] }, 400, 'agents'],
    ['a target', 'POST', '/plan', { source: 'default', targets: ['policies/carefull'] }, 400, 'policies/careful'],
    ['a schema', 'GET', '/schemas/agnets.json', undefined, 404, 'agents.json'],
  ]
  test.each(http)('suggests the nearest name for %s', async (_what, method, path, body, status, meant) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await send(method, `${stand.controller}${path}`, text, text && 'application/json')
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(`did you mean "${meant}"?`)])
  })

  const orchestrator: [string, string, string, unknown, number, string][] = [
    ['a policy', 'GET', '/policies/carefull', undefined, 404, 'careful'],
    ['a policy to delete', 'DELETE', '/policies/carefull', undefined, 404, 'careful'],
    ['a status of agents', 'GET', '/agents?status=runing', undefined, 400, 'running'],
    ['a mode', 'PUT', '/policies/new', { mode: 'deny_al' }, 400, 'deny_all'],
  ]
  test.each(orchestrator)('suggests the nearest name for %s', async (_what, method, path, body, status, meant) => {
    const text = body === undefined ? undefined : JSON.stringify(body)
    const answer = await send(method, `${stand.orchestrator}${path}`, text, text && 'application/json')
    expect([answer.status, answer.body.detail]).toEqual([status, expect.stringContaining(`did you mean "${meant}"?`)])
  })

  const commands: [string, string[]][] = [
    ['agents', ['svc', 'get', 'agnets']],
    ['agents', ['svc', 'schema', 'agnets']],
    ['agents', ['svc', 'reconcile', '--target', 'agnets/x']],
    ['controller', ['svc', 'serve', 'controler']],
    ['reconcile', ['svc', 'reconcil']],
    ['--dry-run', ['svc', 'reconcile', '--dry-rn']],
    ['default', ['svc', 'reconcile', '--source', 'defualt']],
    ['policies/careful', ['svc', 'get', 'policies/carefull']],
  ]
  test.each(commands)('suggests %s for %j', async (meant, [program, ...args]) => {
    const { code, stderr } = await (program === 'svc' ? stand.svc(args) : stand.agent(args))
    expect([code === 0, stderr]).toEqual([false, expect.stringMatching(new RegExp(`did you mean "[^"]*${meant}"\\?`))])
  })
})

/** Files that may refuse a name without a suggestion. */
const WITHOUT_NEAREST = new Map<string, string>([
  ['platform/core/problem.ts', 'notFound: ids'],
  ['schemas/validation/nearest.ts', 'the function itself'],
])

test('suggests the nearest name in every refusal of an unknown name', () => {
  const files = ['api', 'cli', 'controller', 'daemon', 'platform', 'reconcilers', 'schemas', 'services'].flatMap(
    (folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.ts'))
        .map((name) => join(folder, name)),
  )
  // "nearest" must be within the lines around a refusal.
  const refusal =
    /(?:source|kind|policy|schema|service|command|resource|tool|trigger type|member) (?:"?\$\{[^}]+\}"?) (?:does not exist|is not known)/
  const bare = files.flatMap((file) => {
    const lines = readFileSync(join(root, file), 'utf8').split('\n')
    return lines.flatMap((line, index) =>
      refusal.test(line) && !/nearest|meant/i.test(lines.slice(Math.max(0, index - 8), index + 8).join('\n'))
        ? [`${file}:${index + 1}: ${line.trim()}`]
        : [],
    )
  })
  expect(bare.filter((place) => !WITHOUT_NEAREST.has(place.split(':')[0]!))).toEqual([])
  counted('files checked for refusals without a suggestion', files.length)
})
