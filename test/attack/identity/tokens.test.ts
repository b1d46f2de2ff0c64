import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { PolicyRecord } from '../../../schemas/policy.ts'
import type { Token } from '../../../schemas/access/token.ts'
import { Askers, NOBODY, type Asker } from './asker.ts'
import { counted } from '../../support/counts.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { root } from '../../support/root.ts'
import { askFor, hasOwnSecret, isRefusal, operations } from './operation-requests.ts'

const asRoot = process.getuid!() === 0
const askers = new Askers()
const stands: DaemonStand[] = []
afterEach(async () => {
  for (const each of stands.splice(0)) await each.close()
})
afterAll(() => askers.close())

async function stoppedStand(env: Record<string, string>): Promise<DaemonStand> {
  const stand = await DaemonStand.create({ env })
  stands.push(stand)
  return stand
}

const tokenOf = async (stand: DaemonStand, name: string, role: string): Promise<string> => {
  const { code, stdout, stderr } = await stand.svc(['token', 'create', name, '--role', role])
  expect(code, stderr).toBe(0)
  return stdout.trim()
}
const policy = (stand: DaemonStand, name: string, token?: string) => ({
  method: 'PUT',
  url: `${stand.orchestrator}/policies/${name}`,
  headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
  body: '{"mode":"allow_all"}',
})

describe('SVC_AUTH=on', () => {
  test('refuses to start without a tokens file and names the command', async () => {
    const stand = await stoppedStand({ SVC_AUTH: 'on' })
    const { code, stderr } = await stand.svc(['serve'])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/file .*tokens\.json does not exist: create the first token with "svc token create NAME/),
    ])
    expect(existsSync(join(stand.dataDir, 'svc.db'))).toBe(false)
    const wrong = await stoppedStand({ SVC_AUTH: 'maybe' })
    expect((await wrong.svc(['serve'])).stderr).toContain('SVC_AUTH should be on or off, instead got "maybe"')
  }, 60_000)

  test('starts with a summary of its sources, which needs no token', async () => {
    const stand = await stoppedStand({ SVC_AUTH: 'on' })
    const token = await tokenOf(stand, 'ada', 'admin')
    stand.write('policies/strict.yml', 'name: strict\nmode: deny_all\n')
    await stand.start()
    await eventually(() => stand.output.includes('next, in another terminal'))
    expect(stand.output).toMatch(/source default +\S.*\n[^]*1 policy +strict\n/)
    expect(stand.output).not.toMatch(/^error|requires a token/m)
    expect((await stand.svc(['down'], { env: { SVC_TOKEN: token } })).code).toBe(0)
  }, 60_000)

  test('requires a token from its own user and root, even on loopback', async () => {
    const stand = await stoppedStand({ SVC_AUTH: 'on' })
    const token = await tokenOf(stand, 'ada', 'admin')
    await stand.start()
    const own = await askers.start()
    expect((await own.http(policy(stand, 'a'))).status).toBe(401)
    expect((await own.http(policy(stand, 'a', 'wrong'))).status).toBe(401)
    expect((await own.http(policy(stand, 'a', token))).status).toBe(201)
    for (const { id, service, operation } of operations) {
      if (operation.auth === 'open') continue
      expect(await askFor(own, stand.urls[service]!, operation), id).toMatchObject({ status: 401 })
      const admitted = await askFor(own, stand.urls[service]!, operation, { authorization: `Bearer ${token}` })
      expect(isRefusal(admitted), id).toBe(hasOwnSecret(operation))
    }
    expect((await stand.svc(['down'])).code).toBe(1)
    expect((await stand.svc(['down'], { env: { SVC_TOKEN: token } })).code).toBe(0)
  }, 60_000)

  test('lets the commands of an agent through with the token of its launch', async () => {
    const stand = await stoppedStand({ SVC_AUTH: 'on' })
    await tokenOf(stand, 'ada', 'admin')
    const script = `${join(root, 'bin', 'agent')} orchestrator list-agents > out 2>&1; echo ended $? >> out; exec cat`
    stand.write(
      'agents/asking.yml',
      `name: asking\nshell: bash\nruntime: command\nworking_dir: .\ncommand: [/bin/sh, -c, "${script}"]\n`,
    )
    await stand.start()
    const out = join(stand.project, 'out')
    expect(
      await eventually(() => /^[^]*ended \d+/.exec(existsSync(out) ? readFileSync(out, 'utf8') : '')?.[0]),
    ).toMatch(/asking[^]*ended 0/)
  }, 60_000)
})

describe('svc token', () => {
  test('creates, lists and revokes tokens, storing only digests', async () => {
    const stand = await stoppedStand({})
    const token = await tokenOf(stand, 'mia', 'viewer')
    const file = join(stand.dataDir, 'tokens.json')
    expect(readFileSync(file, 'utf8')).not.toContain(token)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await tokenOf(stand, 'olga', 'operator')
    const listed = JSON.parse((await stand.svc(['token', 'list', '--json'])).stdout) as { name: string; role: string }[]
    expect(listed.map(({ name, role }) => `${name} ${role}`)).toEqual(['mia viewer', 'olga operator'])
    expect((await stand.svc(['token', 'list'])).stdout).toMatch(/mia +viewer[^]*olga +operator/)
    expect(await stand.svc(['token', 'revoke', 'mia'])).toMatchObject({ code: 0 })
    expect((JSON.parse(readFileSync(file, 'utf8')) as Token[]).map(({ subject }) => subject)).toEqual(['olga'])
    const again = await stand.svc(['token', 'revoke', 'mia'])
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('mia has no token')])
  }, 60_000)

  test('creates no token for a reserved name, or a second one for a name', async () => {
    const stand = await stoppedStand({})
    await tokenOf(stand, 'mia', 'viewer')
    const before = readFileSync(join(stand.dataDir, 'tokens.json'), 'utf8')
    for (const [name, why] of [
      ['mia', 'the name "mia" has more than one token'],
      ['operator', 'the name "operator" is reserved'],
      ['controller', 'is reserved'],
      ['daemon', 'is reserved'],
      ['conductor', 'is reserved'],
      ['agent:builder', 'is reserved'],
      ['svc-notify', 'is reserved'],
    ] as const) {
      const { code, stderr } = await stand.svc(['token', 'create', name])
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)])
    }
    expect(readFileSync(join(stand.dataDir, 'tokens.json'), 'utf8')).toBe(before)
    const forged = JSON.parse(before.replaceAll('mia', 'agent:builder')) as Token[]
    writeFileSync(join(stand.dataDir, 'tokens.json'), JSON.stringify(forged))
    const { code, stderr } = await stand.svc(['serve'])
    expect([code, stderr]).toEqual([1, expect.stringContaining('the name "agent:builder" is reserved')])
  }, 60_000)

  test('does not overwrite a file that it cannot read', async () => {
    const stand = await stoppedStand({})
    await tokenOf(stand, 'mia', 'viewer')
    const file = join(stand.dataDir, 'tokens.json')
    for (const [text, why] of [
      ['[{"subject": "half', 'it is not JSON'],
      ['{"mia": 1}', 'it is not a list of {subject, role, sha256}'],
    ] as const) {
      writeFileSync(file, text)
      const { code, stderr } = await stand.svc(['token', 'create', 'olga'])
      expect([code, stderr]).toEqual([1, expect.stringContaining(why)])
      expect(readFileSync(file, 'utf8')).toBe(text)
    }
    expect((await stand.svc(['token', 'create', 'olga', '--role', 'king'])).code).toBe(64)
  }, 60_000)
})

describe('another user of the machine', () => {
  let stand: DaemonStand
  let stranger: Asker | null = null
  let sent = 0
  beforeAll(async () => {
    stand = await DaemonStand.create()
    await stand.start()
    if (asRoot) stranger = await askers.start({ uid: NOBODY })
  })
  afterAll(async () => {
    await stand.close()
    counted('identity: requests of another user, closed at once', sent)
  })

  test('is accepted from the creation of its token until revocation', async () => {
    if (stranger === null) return
    const refused = await stranger.http(policy(stand, 'given'))
    expect([refused.status, refused.text]).toEqual([401, expect.stringContaining('svc token create')])
    const token = await tokenOf(stand, 'guest', 'operator')
    expect((await stranger.http(policy(stand, 'given', token))).status).toBe(201)
    expect((await stand.get<PolicyRecord>(`${stand.orchestrator}/policies/given`)).name).toBe('given')
    await stand.svc(['token', 'revoke', 'guest'])
    expect((await stranger.http(policy(stand, 'given', token))).status).toBe(401)
  }, 60_000)

  test.each(['close', 'reset'] as const)('is not taken for root after its connection ends by a %s', async (how) => {
    if (stranger === null) return
    const port = Number(new URL(stand.orchestrator).port)
    const body = '{"mode":"allow_all"}'
    const leave = (index: number) => {
      sent++
      const head = `PUT /policies/ghost-${how}-${index} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json`
      return stranger!.leave(port, `${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`, how)
    }
    for (let round = 0; round < 10; round++) {
      await Promise.all(Array.from({ length: 20 }, (_each, index) => leave(round * 20 + index)))
      // Processed after all earlier requests.
      const settled = `settled-${how}-${round}`
      expect((await stand.ask('PUT', `${stand.orchestrator}/policies/${settled}`, { mode: 'deny_all' })).status).toBe(
        201,
      )
    }
    await eventually(async () => {
      const connections = await stand.get<PolicyRecord[]>(`${stand.orchestrator}/policies`)
      return connections.some(({ name }) => name === `settled-${how}-9`)
    })
    const names = (await stand.get<PolicyRecord[]>(`${stand.orchestrator}/policies`)).map(({ name }) => name)
    expect(names.filter((name) => name.startsWith('ghost'))).toEqual([])
  })
})
