import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { tokenRoute } from '../../api/controller/tokens.ts'
import { ask, serveRoutes } from './stand.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-tokens-'))
const file = join(folder, 'tokens.json')
afterAll(() => rmSync(folder, { recursive: true }))
serveRoutes('controller', (app) => tokenRoute(app, file))

const token = (subject: string, role: string) => ({ subject, role, sha256: 'ab'.repeat(32) })

test('lists names and roles without digests, as the file is now', async () => {
  expect(await ask('GET /tokens')).toEqual({ status: 200, body: [] })
  writeFileSync(file, JSON.stringify([token('mia', 'admin'), token('ci', 'viewer')]))
  const { body } = await ask('GET /tokens')
  expect(body).toEqual([
    { subject: 'mia', role: 'admin' },
    { subject: 'ci', role: 'viewer' },
  ])
  expect((await ask('GET /tokens?limit=1&offset=1')).body).toMatchObject({ items: [{ subject: 'ci' }], total: 2 })
})

test('answers 503 with the reason for an invalid file', async () => {
  for (const text of ['{', '[{"subject": "mia"}]', JSON.stringify([token('mia', 'admin'), token('mia', 'viewer')])]) {
    writeFileSync(file, text)
    const answer = await ask('GET /tokens')
    expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining(`SVC_TOKENS_FILE=${file}`)])
    expect(JSON.stringify(answer.body)).not.toContain('ab'.repeat(8))
  }
})
