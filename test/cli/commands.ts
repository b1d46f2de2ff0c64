// The commands as tests run them: built as for real, each call a process of its own with nothing of the machine's settings.
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { afterAll } from 'vitest'
import { SHARED } from '../../scripts/build.mjs'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..', '..')

export interface Result {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Record<string, string>
  input?: string
  cwd?: string
  /** Called with standard output so far; true ends the command with SIGINT. */
  until?: (stdout: string) => boolean
}

let folder: Promise<string> | null = null
afterAll(async () => void (folder && rmSync(await folder, { recursive: true, force: true })))

/** The daemon is left out: no command but serve loads it. Below node_modules, so that packages left out of the bundle are found. */
async function bundle(): Promise<string> {
  const cache = join(root, 'node_modules', '.cache', 'svc')
  mkdirSync(cache, { recursive: true })
  const outdir = mkdtempSync(join(cache, 'test-cli-'))
  await build({
    ...SHARED,
    external: [...SHARED.external!, '*/daemon/index.ts'],
    absWorkingDir: root,
    entryPoints: { svc: 'cli/svc.ts', agent: 'cli/agent.ts' },
    splitting: true,
    outdir,
    outExtension: { '.js': '.mjs' },
  })
  return outdir
}

export const svc = (args: string[], options?: RunOptions) => run('svc', args, options)
export const agent = (args: string[], options?: RunOptions) => run('agent', args, options)

async function run(program: string, args: string[], options: RunOptions = {}): Promise<Result> {
  const entry = join(await (folder ??= bundle()), `${program}.mjs`)
  const home = mkdtempSync(join(tmpdir(), 'svc-home-'))
  const child = spawn(process.execPath, [entry, ...args], {
    cwd: options.cwd ?? home,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      SVC_DATA_DIR: join(home, 'data'),
      SVC_ACTOR: 'tester',
      SVC_CONTROLLER_PORT: '1',
      SVC_ORCHESTRATOR_PORT: '1',
      ...options.env,
    },
  })
  const result: Result = { code: -1, stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    result.stdout += text
    if (options.until?.(result.stdout)) child.kill('SIGINT')
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => (result.stderr += text))
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.input ?? '')
  result.code = await new Promise((done) => child.once('close', (code) => done(code ?? -1)))
  rmSync(home, { recursive: true, force: true })
  return result
}
