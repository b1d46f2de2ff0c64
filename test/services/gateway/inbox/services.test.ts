import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { services } from '../../../../daemon/services.ts'
import type { InboxItem, InboxKind, InboxReply } from '../../../../schemas/gateway/inbox.ts'
import { sqliteDatabase } from '../../../support/databases.ts'
import { eventually } from '../../../support/eventually.ts'
import { request } from '../../../support/http.ts'
import { startServices, type ServiceStand } from '../../../support/services.ts'
import { input } from '../../notify/stand.ts'

const DEADLINE = '2999-01-01T00:00:00.000Z'
const directory = mkdtempSync(join(tmpdir(), 'svc-source-'))
let database: Awaited<ReturnType<typeof sqliteDatabase>>
let stand: ServiceStand
beforeAll(async () => {
  mkdirSync(join(directory, 'policies'))
  writeFileSync(join(directory, 'svc.yaml'), 'sync: {mode: manual}\n')
  writeFileSync(join(directory, 'policies/reader.yml'), 'name: reader\nmode: allow_list\ntools: [Read]\n')
  database = await sqliteDatabase()
  // The ask service does not run.
  const running = services({ sources: [{ name: 'team', directory }] }).filter(({ name }) => name !== 'ask')
  stand = await startServices(running, { url: database.url })
})
afterAll(async () => {
  await stand.close()
  await database.remove()
  rmSync(directory, { recursive: true })
})

const inbox = (query = '') => request<InboxReply>('GET', `${stand.host.urls.controller}/api/inbox${query}`)
const itemOf = async (kind: InboxKind) => (await inbox(`?kind=${kind}`)).items[0]
const linkOf = (item: InboxItem, operation: string) => item.links.find((link) => link.operation === operation)!

test('shows a notification until it is answered over its link', async () => {
  const lifetime = { Ephemeral: { expires_at: DEADLINE } }
  const question = { ...input, title: 'Which branch?', requires_response: true, lifetime }
  await request('POST', `${stand.host.urls.notify}/notifications`, input)
  await request('POST', `${stand.host.urls.notify}/notifications`, question)
  const item = (await itemOf('notification'))!
  expect(item).toMatchObject({ deadline: DEADLINE, since: expect.stringMatching(/Z$/) })
  const { method, path } = linkOf(item, 'notify.updateNotification')
  await request(method, `${stand.host.urls.controller}${path}`, { response: 'main' })
  expect(await itemOf('notification')).toBeUndefined()
})

test('shows a revision of a source in mode manual, with its plan, until it is applied', async () => {
  const item = await eventually(() => itemOf('sync'))
  const { method, path, body } = linkOf(item, 'controller.plan')
  expect(await request(method, `${stand.host.urls.controller}${path}`, body!)).toHaveProperty('hash')
  await request('POST', `${stand.host.urls.controller}/sources/team/sync`, {})
  await eventually(async () => (await itemOf('sync')) === undefined)
})

test('names the kinds of a service that does not run, and shows the others', async () => {
  const { missing } = await inbox()
  expect(missing).toMatchObject([{ kind: 'question', service: 'ask', reason: 'unavailable' }])
})

test('refuses an unknown kind and a position that is no cursor', async () => {
  for (const query of ['?kind=letter', '?after=x', '?after=&before=', '?offset=1'])
    expect((await fetch(`${stand.host.urls.controller}/api/inbox${query}`)).status).toBe(400)
})
