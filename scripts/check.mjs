// `npm run check`: all checks before a commit. Continues after a failure.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { writeTable } from './build.mjs'
import { root } from './ready.mjs'

const bin = (name) => join(root, 'node_modules', '.bin', name)
/** These tests only read the source tree. */
const HOUSE = ['imports', 'rooms', 'parts', 'shape', 'rules', 'docs'].map((name) => `test/${name}.test.ts`)
const CHECKS = [
  { name: 'types', command: [bin('tsc'), '-p', '.'] },
  { name: 'types of the page', command: [bin('tsc'), '-p', 'web'] },
  { name: 'lint', command: [bin('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', command: [bin('oxfmt'), '--check', '.'] },
  { name: 'house', command: [bin('vitest'), 'run', ...HOUSE, '--reporter=dot'] },
  { name: 'dead code', command: [bin('knip'), '--no-progress'] },
  // Finds code that only tests use.
  { name: 'production code', command: [bin('knip'), '--production', '--no-progress'] },
]

function run({ name, command }) {
  const started = performance.now()
  return new Promise((resolve) => {
    let output = ''
    const child = spawn(command[0], command.slice(1), {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? '1' : '0' },
    })
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text))
    child.on('error', (error) => resolve({ name, ok: false, output: error.message, seconds: 0 }))
    child.on('close', (code) =>
      resolve({ name, ok: code === 0, output, seconds: (performance.now() - started) / 1000 }),
    )
  })
}

async function worker(queue, results) {
  for (let check = queue.shift(); check; check = queue.shift()) {
    const result = await run(check)
    results.push(result)
    console.log(`${result.ok ? 'ok  ' : 'FAIL'}  ${result.name.padEnd(10)} ${result.seconds.toFixed(1)} s`)
    if (!result.ok) console.log(result.output.trimEnd())
  }
}

// A source of the page.
await writeTable(await import('esbuild'))
const queue = [...CHECKS]
const results = []
await Promise.all([worker(queue, results), worker(queue, results)])
const failed = results.filter((result) => !result.ok).map((result) => result.name)
console.log(
  failed.length === 0
    ? `check: all ${results.length} passed`
    : `check: ${failed.length} of ${results.length} failed: ${failed.join(', ')}`,
)
process.exit(failed.length === 0 ? 0 : 1)
