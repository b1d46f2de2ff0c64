// Creates a database that later versions must open:
//
//   node test/upgrade/make.mjs NAME [CHECKOUT] [POSTGRES-URL]
//
// Runs the built daemon of CHECKOUT (default: this one) and stops it while work is in progress. Writes to
// test/upgrade/NAME/: svc.db or, with POSTGRES-URL (an empty database), svc.sql; its key; records.json with API
// responses. NAME is a version, with the suffix -postgres for PostgreSQL. 0.1.0 is commit 3a7f089, the last development
// build with supported databases.
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { SHARED } from '../../scripts/build.mjs'
import { makeReady, root } from '../../scripts/ready.mjs'

const [name, checkout = root, postgres] = process.argv.slice(2)
if (!/^\d+\.\d+\.\d+(-postgres)?$/.test(name ?? '') || name.endsWith('-postgres') !== Boolean(postgres)) {
  console.error(
    'error: invalid NAME or POSTGRES-URL\nhint: node test/upgrade/make.mjs 0.2.0, or 0.2.0-postgres CHECKOUT POSTGRES-URL',
  )
  process.exit(64)
}
makeReady()
const { DaemonStand, eventually, openDatabase } = await support()
const kept = join(root, 'test', 'upgrade', name)
mkdirSync(kept, { recursive: true })
const manifests = join(root, 'test', 'upgrade', 'manifests')

const env = {
  // The approval must not expire.
  SVC_APPROVAL_TIMEOUT_SECS: String(100 * 365 * 24 * 3600),
  // No alerts on a busy machine.
  ...Object.fromEntries(['CPU', 'MEMORY', 'DISK'].map((what) => [`SVC_${what}_ALERT_THRESHOLD`, '100'])),
  ...(postgres ? { SVC_DATABASE_URL: postgres } : {}),
}
const stand = await DaemonStand.create({ manifests, env })
try {
  await stand.start([resolve(checkout, 'bin', 'svc'), 'serve', '--manifests', stand.manifests])
  await stand.settled()
  await stand.connected()
  await live(stand)
  await addCompanionRecords(stand)
  const records = await readRecords(stand)
  await stand.stopBy('SIGTERM')
  await keep(stand, records)
} finally {
  await stand.close()
}
console.log(`made ${kept}`)

/** Bundles test helpers below node_modules, where packages are found. */
async function support() {
  const { build } = await import('esbuild')
  const outfile = join(root, 'node_modules', '.cache', 'svc', 'upgrade-support.mjs')
  const contents = `export { DaemonStand } from './test/support/daemon.ts'
    export { eventually } from './test/support/eventually.ts'
    export { openDatabase } from './platform/database/database.ts'`
  await build({ ...SHARED, stdin: { contents, resolveDir: root, loader: 'ts' }, outfile })
  return import(pathToFileURL(outfile).href)
}

/** Ends with a pending approval, a running turn and a queued message. */
async function live(daemon) {
  const { orchestrator, controller } = daemon
  const body = { working_dir: '/tmp', shell: 'bash', runtime: 'scripted', tool_policy: { mode: 'allow_all' } }
  const guest = { name: 'guest', env: { GUEST_SECRET: 'of-the-guest' }, ...body }
  await done(daemon.ask('POST', `${orchestrator}/agents`, guest), 201)
  await daemon.connected()

  const byHand = (await daemon.get(`${orchestrator}/workflows`)).find(({ name }) => name === 'by-hand')
  await done(daemon.ask('POST', `${orchestrator}/workflows/${byHand.id}/trigger`, { title: 'a task' }))
  await eventually(
    async () => (await daemon.get(`${orchestrator}/workflows/${byHand.id}/history`))[0]?.status === 'completed',
  )

  const reader = await daemon.agentNamed('reader')
  const drift = async (resolution) =>
    (await daemon.get(`${controller}/drift`)).find((each) => each.name === 'reader' && each.resolution === resolution)
  const setPolicy = () => daemon.ask('PUT', `${orchestrator}/agents/${reader.id}/policy`, { mode: 'deny_all' })
  await done(setPolicy())
  await eventually(() => drift(null))
  await done(daemon.ask('POST', `${controller}/drift/agents/reader/revert`))
  await eventually(async () => (await daemon.get(`${controller}/drift`)).some((each) => each.resolution !== null))
  await done(setPolicy())
  await eventually(() => drift(null))

  const builder = await daemon.agentNamed('builder')
  const pending = async () => (await daemon.get(`${orchestrator}/approvals?status=pending`))[0]
  await done(daemon.send(builder.id, 'USE_TOOL Bash echo decided'))
  await done(daemon.ask('POST', `${orchestrator}/approvals/${(await eventually(pending)).id}/approve`, {}))
  await eventually(async () => (await daemon.agentNamed('builder')).activity === 'idle')
  await done(daemon.send(builder.id, 'USE_TOOL Bash echo pending'))
  await eventually(pending)

  const writer = await daemon.agentNamed('writer')
  await done(daemon.send(writer.id, 'a message that is done'))
  await eventually(
    async () => (await daemon.get(`${orchestrator}/agents/${writer.id}/usage`)).cumulative.num_turns === 2,
  )
  await done(daemon.send(writer.id, 'SLOW 600000 a turn that is cut short'))
  await eventually(async () => (await daemon.agentNamed('writer')).activity === 'busy')
  await done(daemon.send(writer.id, 'a message that waits'))
  await eventually(async () => (await daemon.get(`${controller}/runs`)).every((run) => run.status !== 'running'))
}

async function addCompanionRecords({ ask, urls }) {
  const { notify, docstore, communicate } = urls
  const notification = {
    source: 'System',
    lifetime: 'Persistent',
    priority: 'Normal',
    title: 'a title',
    message: 'a text',
  }
  await done(ask('POST', `${notify}/notifications`, { ...notification, requires_response: true }))
  await done(ask('POST', `${docstore}/memories`, { content: 'a memory', created_by: 'tester', tags: ['kept'] }))
  await done(ask('POST', `${communicate}/rooms`, { name: 'team', created_by: 'tester' }))
  await done(ask('POST', `${communicate}/rooms/team/messages`, { sender_id: 'tester', content: 'a message in a room' }))
}

async function done(asking, status = null) {
  const answer = await asking
  if (status === null ? answer.status >= 300 : answer.status !== status)
    throw new Error(`unexpected status ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

async function readRecords(daemon) {
  const { orchestrator, controller } = daemon
  const agents = await daemon.agents()
  const workflows = await daemon.get(`${orchestrator}/workflows`)
  const each = async (records, path) =>
    Object.fromEntries(await Promise.all(records.map(async ({ id, name }) => [name, await daemon.get(path(id))])))
  return {
    agents,
    workflows,
    policies: await daemon.get(`${orchestrator}/policies`),
    dispatches: await each(workflows, (id) => `${orchestrator}/workflows/${id}/history`),
    approvals: await daemon.get(`${orchestrator}/approvals`),
    usage: await each(agents, (id) => `${orchestrator}/agents/${id}/usage`),
    runs: await daemon.get(`${controller}/runs`),
    drift: await daemon.get(`${controller}/drift`),
    resources: (await daemon.get(`${controller}/resources`)).map(({ kind, name, live_id }) => ({
      kind,
      name,
      live_id,
    })),
    companions: await readCompanionRecords(daemon),
  }
}

async function readCompanionRecords(daemon) {
  const paths = ['notify/notifications', 'docstore/memories', 'communicate/rooms', 'communicate/rooms/team/messages']
  const read = (path) => daemon.get(path.replace(/^\w+/, (service) => daemon.urls[service]))
  return Object.fromEntries(await Promise.all(paths.map(async (path) => [path, await read(path)])))
}

async function keep(daemon, records) {
  for (const file of ['svc.db', 'svc.sql', 'key', 'records.json']) rmSync(join(kept, file), { force: true })
  if (postgres)
    execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-comments', '--file', join(kept, 'svc.sql'), postgres])
  else {
    const db = openDatabase(`sqlite:${join(daemon.dataDir, 'svc.db')}`)
    await db.raw('VACUUM INTO ?', [join(kept, 'svc.db')])
    await db.destroy()
  }
  cpSync(join(daemon.dataDir, 'key'), join(kept, 'key'))
  writeFileSync(join(kept, 'records.json'), `${JSON.stringify(records, null, 2)}\n`)
}
