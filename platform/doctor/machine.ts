// Checks of the machine of a process: programs, folders, database, and the users of connections.
import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import { bad, ok, type About, type Check } from '../../schemas/operations/gitops/doctor.ts'
import type { Config } from '../core/config.ts'
import { openDatabase } from '../database/database.ts'
import { canIdentifyPeers } from '../peer/peers.ts'
import { bounded } from './bounded.ts'

const LEAST_NODE = [20, 19] as const
const PROGRAM_MS = 3000

/** Does not throw. `command` formats a command line so that the reader can run it. */
export async function machineChecks(config: Config, command: (line: string) => string): Promise<Check[]> {
  return [
    nodeCheck(),
    ...(await Promise.all([
      programCheck('git', ['--version'], 'fault', installHint('git')),
      programCheck('tmux', ['-V'], 'fault', installHint('tmux')),
      programCheck('zsh', ['--version'], 'warning', `${installHint('zsh')}; agents that use zsh get bash instead`),
      programCheck(
        config.env.SVC_AGENT_COMMAND || 'claude',
        ['--version'],
        'warning',
        'only needed for the runtime claude-code: npm install -g @anthropic-ai/claude-code, or set SVC_AGENT_COMMAND',
      ),
      dataFolderCheck(config),
      databaseCheck(config),
      peerCheck(config, command),
    ])),
  ]
}

function nodeCheck(): Check {
  const least = LEAST_NODE.join('.')
  const about = { id: 'node', title: 'node', expected: `${least} or newer` }
  const { node } = process.versions
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1])) return ok(about, node)
  return bad(about, 'fault', `${node} is too old`, `install ${least} or newer from https://nodejs.org`)
}

function installHint(name: string): string {
  return process.platform === 'darwin' ? `brew install ${name}` : `apt-get install ${name}, or dnf install ${name}`
}

/** `missing`: state without the program. */
function programCheck(name: string, flags: string[], missing: 'warning' | 'fault', next: string): Promise<Check> {
  const about = { id: name, title: name, expected: 'installed' }
  return bounded(about, async () => {
    try {
      const { stdout } = await promisify(execFile)(name, flags, { timeout: PROGRAM_MS })
      return ok(about, stdout.trim().split('\n')[0]!)
    } catch {
      return bad(about, missing, 'not installed', next)
    }
  })
}

function dataFolderCheck({ dataDir }: Config): Promise<Check> {
  const about = { id: 'data-folder', title: 'data folder', expected: 'a writable folder' }
  return bounded(about, async () => {
    let folder = dataDir
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
    try {
      await access(folder, constants.W_OK)
      return ok(about, folder === dataDir ? dataDir : `${dataDir} (created at the first start)`)
    } catch {
      return bad(about, 'fault', `${folder} is not writable`, 'make it writable, or set SVC_DATA_DIR')
    }
  })
}

function databaseCheck({ databaseUrl }: Config): Promise<Check> {
  const about: About = { id: 'database', title: 'database', expected: 'can be opened' }
  const shown = databaseUrl.replace(/\/\/.*@/, '//***@')
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.replace(/^sqlite:(\/\/)?/, '') : null
  return bounded(about, async () => {
    if (file && !existsSync(file)) return ok(about, `${shown} (created at the first start)`)
    const db = openDatabase(databaseUrl, { readOnly: file !== null })
    try {
      await db.raw('select count(*) from ' + (file ? 'sqlite_master' : 'information_schema.tables'))
      return ok(about, shown)
    } catch (error) {
      const next = file
        ? 'check the file, its folder and the disk; restore a backup if it is damaged'
        : 'check SVC_DATABASE_URL and the server'
      return bad(about, 'fault', `${shown} cannot be opened: ${(error as Error).message}`, next)
    } finally {
      await db.destroy()
    }
  })
}

/** Without peer credentials every local user counts as the daemon's user. */
function peerCheck({ auth }: Config, command: (line: string) => string): Promise<Check> {
  const about = {
    id: 'peers',
    title: 'user of a connection',
    expected: 'reported by the system, or every request needs a token',
  }
  return bounded(about, async () => {
    if (auth) return ok(about, 'not checked: every request needs a token')
    if (await canIdentifyPeers())
      return ok(about, 'reported by the system: other users need a token to change anything')
    const seen = 'not reported by this system: every local user can change everything over the loopback address'
    return bad(about, 'warning', seen, `set SVC_AUTH=on, and create tokens with "${command('svc token create NAME')}"`)
  })
}
