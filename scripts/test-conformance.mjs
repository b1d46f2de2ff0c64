// `npm run test:conformance`: the official suite of the Model Context Protocol against `/mcp` of a document store. Each
// scenario is either about what the server offers, and has to prove something, or named with the feature it asks for.
// Installs the suite and the Node it needs into a temporary folder; SVC_CONFORMANCE_DIR names one where they are.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeReady, root } from './ready.mjs'

const PACKAGES = ['@modelcontextprotocol/conformance@0.1.16', 'node@22']
const OFFERED = ['server-initialize', 'ping', 'tools-list', 'dns-rebinding-protection']
/** What the other scenarios are about, by the beginning of their names. */
const NOT_OFFERED = [
  ['tools-call-', 'calls tools of the suite by their names, which a server has for it alone'],
  ['server-sse-', 'streams of a session: nothing is kept between two requests'],
  ['logging-', 'log messages to the client'],
  ['completion-', 'completion of arguments'],
  ['elicitation-', 'questions to the user of the client'],
  ['resources-', 'resources'],
  ['prompts-', 'prompts'],
]
const PATIENCE_MS = 60_000

const fail = (reason) => {
  console.error(`error: ${reason}`)
  process.exitCode = 1
}

function install(folder) {
  console.log(`installing ${PACKAGES.join(' and ')} into ${folder} …`)
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-audit',
    '--no-fund',
    '--no-save',
    '--loglevel',
    'error',
    ...PACKAGES,
  ]
  const { status, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`npm install ended with ${status}: ${stderr.trim()}`)
}

async function addressOf(runtimeFile) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100))
    if (existsSync(runtimeFile)) return JSON.parse(readFileSync(runtimeFile, 'utf8')).services.docstore
  throw new Error('the document store did not start')
}

/** `✓ ping: 1 passed, 0 failed` of each scenario. */
function run(folder, url) {
  const bin = (name) => join(folder, 'node_modules', '.bin', name)
  const args = [bin('conformance'), 'server', '--url', `${url}/mcp`]
  const { stdout, stderr } = spawnSync(bin('node'), args, { cwd: folder, encoding: 'utf8' })
  const results = [...`${stdout}${stderr}`.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)]
  return results.map(([, name, passed, failed]) => ({ name, passed: Number(passed), failed: Number(failed) }))
}

function tell(results) {
  for (const name of OFFERED) {
    const { passed = 0, failed = 0 } = results.find((each) => each.name === name) ?? {}
    console.log(`${passed > 0 && failed === 0 ? 'ok  ' : 'FAIL'}  ${name}: ${passed} passed, ${failed} failed`)
    if (passed === 0 || failed > 0) fail(`${name} proved nothing, or failed`)
  }
  const others = results.filter(({ name }) => !OFFERED.includes(name))
  for (const { name } of others) {
    const [, feature] = NOT_OFFERED.find(([beginning]) => name.startsWith(beginning)) ?? []
    if (feature === undefined) fail(`nothing is known of the scenario ${name}: say whether it is offered`)
    else console.log(`not offered  ${name}: ${feature}`)
  }
  console.log(`${OFFERED.length} offered, ${others.length} not offered`)
}

await makeReady()
const given = process.env.SVC_CONFORMANCE_DIR
const home = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
let store = null
try {
  if (!given) install(home)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SVC_DATA_DIR: join(home, 'data'),
    SVC_DOCSTORE_PORT: '0',
    PORT: '0',
  }
  store = spawn(process.execPath, [join(root, 'bin', 'svc'), 'serve', 'docstore'], { env, stdio: 'ignore' })
  tell(run(given ?? home, await addressOf(join(home, 'data', 'runtime.json'))))
} catch (error) {
  fail(error.message)
} finally {
  if (store !== null && store.exitCode === null) {
    store.kill('SIGTERM')
    await new Promise((ended) => store.once('exit', ended))
  }
  rmSync(home, { recursive: true, force: true })
}
