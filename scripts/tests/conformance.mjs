// `npm run test:all -- conformance`: the official Model Context Protocol suite against `/mcp` of a document store and
// `agent mcp`. SVC_CONFORMANCE_DIR: an existing installation; SVC_CONFORMANCE_VERSION: another version.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NOT_OFFERED, OFFERED, unjudged } from './conformance/judged.mjs'
import { install } from './install.mjs'
import { relayToHttp, relayToProcess } from './conformance/relay.mjs'
import { makeReady, root } from '../ready.mjs'

const VERSION = process.env.SVC_CONFORMANCE_VERSION ?? '0.1.16'
const PACKAGES = [`@modelcontextprotocol/conformance@${VERSION}`, 'node@22']
const PATIENCE_MS = 60_000

const fail = (reason) => {
  console.error(`error: ${reason}`)
  process.exitCode = 1
}

async function addressOf(runtimeFile) {
  for (const until = Date.now() + PATIENCE_MS; Date.now() < until; await sleep(100))
    if (existsSync(runtimeFile)) return JSON.parse(readFileSync(runtimeFile, 'utf8')).services.docstore
  throw new Error('the document store did not start')
}

/** Asynchronous: the relays run in this process. */
function suite(folder, args) {
  const bin = (name) => join(folder, 'node_modules', '.bin', name)
  const child = spawn(bin('node'), [bin('conformance'), ...args], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (printed += data))
  return new Promise((resolve) => child.once('close', () => resolve(printed)))
}

async function scenariosOf(folder) {
  const listed = await suite(folder, ['list', '--server'])
  const names = [...listed.matchAll(/^ {2}- ([\w-]+) \[/gm)].map(([, name]) => name)
  if (names.length === 0) throw new Error(`the suite lists no scenarios: ${listed.slice(0, 200)}`)
  return names
}

/** Parses `✓ ping: 1 passed, 0 failed`. */
async function run(folder, url) {
  const printed = await suite(folder, ['server', '--url', `${url}/mcp`, '--suite', 'all'])
  const results = [...printed.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)]
  return new Map(results.map(([, name, passed, failed]) => [name, { passed: Number(passed), failed: Number(failed) }]))
}

function report(way, results) {
  const names = Object.keys(OFFERED).filter((name) => OFFERED[name].includes(way))
  for (const name of names) {
    const { passed = 0, failed = 0 } = results.get(name) ?? {}
    const isProved = passed > 0 && failed === 0
    console.log(`${isProved ? 'ok  ' : 'FAIL'}  ${way.padEnd(5)}  ${name}: ${passed} passed, ${failed} failed`)
    if (!isProved) fail(`${name} failed or had no checks over ${way}`)
  }
  return names.length
}

async function runAll(folder, url, env) {
  const { unknown, gone } = unjudged(await scenariosOf(folder))
  for (const name of unknown) fail(`the scenario ${name} is not listed: add it to scripts/tests/conformance/judged.mjs`)
  for (const name of gone)
    fail(`the suite no longer has the scenario ${name}: remove it from scripts/tests/conformance/judged.mjs`)
  let proved = report('http', await run(folder, url))
  const agent = [join(root, 'bin', 'agent'), 'mcp', '--url', url]
  const relays = {
    tools: () => relayToHttp(url),
    stdio: () => relayToProcess(process.execPath, agent, env),
  }
  for (const [way, begin] of Object.entries(relays)) {
    const relay = await begin()
    proved += report(way, await run(folder, relay.url))
    await relay.stop()
  }
  for (const [name, reason] of Object.entries(NOT_OFFERED)) console.log(`not offered  ${name}: ${reason}`)
  const counts = [Object.keys(OFFERED).length, Object.keys(NOT_OFFERED).length]
  console.log(`${counts[0]} scenarios offered, run ${proved} times; ${counts[1]} not offered`)
}

makeReady()
const given = process.env.SVC_CONFORMANCE_DIR
const home = mkdtempSync(join(tmpdir(), 'svc-conformance-'))
let store = null
try {
  const reason = given ? null : install(home, PACKAGES)
  if (reason) throw new Error(reason)
  const env = {
    PATH: process.env.PATH,
    HOME: home,
    SVC_DATA_DIR: join(home, 'data'),
    SVC_DOCSTORE_PORT: '0',
    PORT: '0',
  }
  store = spawn(process.execPath, [join(root, 'bin', 'svc'), 'serve', 'docstore'], { env, stdio: 'ignore' })
  await runAll(given ?? home, await addressOf(join(home, 'data', 'runtime.json')), env)
} catch (error) {
  fail(error.message)
} finally {
  if (store !== null && store.exitCode === null) {
    store.kill('SIGTERM')
    await new Promise((ended) => store.once('exit', ended))
  }
  rmSync(home, { recursive: true, force: true })
}
