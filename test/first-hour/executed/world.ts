// A daemon with the folders, agents and workflows that the documentation names.
import { execFile, spawn } from 'node:child_process'
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { AgentRecord } from '../../../schemas/agent.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'
import { ask } from '../../support/http.ts'
import { root } from '../../support/root.ts'
import { shownFiles } from '../shown-files.ts'
import { ShopForge } from './forge.ts'

const run = promisify(execFile)
const POKE_EVERY_MS = 300

const FILES: Readonly<Record<string, string>> = {
  'manifests/policies/reading.yml': 'name: reading\nmode: allow_list\ntools: [Read]\n',
  'manifests/documents/handbook.yml': 'name: handbook\ncontent: Be kind.\n',
  'team/policies/team-reading.yml': 'name: team-reading\nmode: allow_list\ntools: [Read]\n',
  'team.yml': 'kind: Policy\nname: piped\nmode: deny_all\n',
  'prompt.md': 'Look at {{title}}',
  'handbook.md': '# Handbook\n',
  'src/archive.ts': 'export function convertCurrency(): void {} // TODO: retry with back-off\n',
}
const AGENTS = {
  planner: 'allow_all',
  reviewer: 'allow_all',
  greeter: 'allow_all',
  builder: 'require_approval',
  mason: 'require_approval',
}

export interface Ended {
  code: number
  text: string
}

/** Repeats `poke` until the process has ended. */
async function poking(closed: Promise<unknown>, poke: () => Promise<unknown>): Promise<void> {
  const over = closed.then(() => 'over' as const)
  do await poke().catch(() => undefined)
  while ((await Promise.race([over, sleep(POKE_EVERY_MS)])) !== 'over')
}

export class World {
  private constructor(
    readonly stand: DaemonStand,
    readonly forge: ShopForge,
  ) {}

  static async create(): Promise<World> {
    const forge = await ShopForge.start()
    const programs = { SVC_WRAP_ALPHA_CODE_COMMAND: 'sleep 600', SVC_WRAP_DELTA_COMMAND: 'sleep 600' }
    const stand = await DaemonStand.create({ env: { ...programs, ...forge.env, SHELL: '/bin/bash', BROWSER: 'true' } })
    // Commands must run as the default actor.
    delete stand.env.SVC_ACTOR
    const world = new World(stand, forge)
    for (const [path, text] of Object.entries({ ...FILES, ...shownFiles('docs/policies.md') })) world.write(path, text)
    for (const [name, mode] of Object.entries(AGENTS))
      world.write(
        `manifests/agents/${name}.yml`,
        `name: ${name}\nruntime: scripted\nworking_dir: .\nshell: bash\ntool_policy: { mode: ${mode} }\n`,
      )
    world.write(
      'manifests/workflows/hello.yml',
      'name: hello\nagent: greeter\ntrigger_config: { type: manual }\nprompt_template: Hello {{title}}\n',
    )
    const config = join(stand.home, '.config/svc/config.yaml')
    mkdirSync(dirname(config), { recursive: true })
    writeFileSync(config, 'notify: { sinks: [{ name: phone, type: command, command: [cat] }] }\n')
    for (const folder of ['shop', '.config/fish/completions']) mkdirSync(join(stand.home, folder), { recursive: true })
    mkdirSync(join(stand.home, 'docs'))
    symlinkSync(join(root, 'bin'), join(stand.project, 'bin'))
    const git = (...words: string[]) =>
      run('git', ['-c', 'user.name=mia', '-c', 'user.email=mia@example.org', ...words], { cwd: stand.project })
    await git('add', '-A')
    await git('commit', '-qm', 'A team')
    world.write('handbook.md', '# Handbook, changed\n')
    await stand.startReady()
    // The first collection waits for the load of the start to pass.
    await eventually(async () => (await world.call('monitor', 'GET /health')).metrics_collected > 0)
    return world
  }

  async close(): Promise<void> {
    await this.stand.close()
    await this.forge.close()
  }

  write(path: string, text: string): void {
    const file = join(this.stand.project, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }

  /** Runs a shell line in the project. With `poke`, interrupts it after its first output. */
  run(line: string, poke?: () => Promise<unknown>): Promise<Ended> {
    const { stand } = this
    const env = { ...stand.env, PATH: `${join(root, 'bin')}${delimiter}${stand.env.PATH}`, TERM: 'xterm' }
    const child = spawn('bash', ['-c', `set -o pipefail; ${line}`], { cwd: stand.project, env, detached: true })
    child.stdin.end()
    let text = ''
    let isEnding = false
    const take = (chunk: string) => {
      text += chunk
      if (!poke || isEnding) return
      isEnding = true
      process.kill(-child.pid!, 'SIGINT')
    }
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', take)
    // For a shell ended by a signal, the exit code that shells report.
    const closed = new Promise<number>((resolve) =>
      child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal!])),
    )
    if (poke) void poking(closed, poke)
    return closed.then((code) => ({ code, text }))
  }

  /** Throws on an error status. */
  async call<T = any>(service: string, request: string, body?: unknown): Promise<T> {
    const [method, path] = request.split(' ') as [string, string]
    const reply = await ask<T>(method, this.stand.urls[service] + path, body)
    if (reply.status >= 400) throw new Error(`${request}: ${reply.status} ${JSON.stringify(reply.body)}`)
    return reply.body
  }

  agent(name: string): Promise<AgentRecord> {
    return this.stand.agentNamed(name)
  }

  copy(from: string, to: string): void {
    cpSync(join(this.stand.project, from), join(this.stand.project, to), { recursive: true })
  }
}
