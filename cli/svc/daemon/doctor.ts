import { execFile } from 'node:child_process'
import { constants, existsSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import type { OperationGroup } from '../../../schemas/operations/operation.ts'
import { everyService } from '../../../schemas/operations/services.ts'
import { openWebhooks } from '../../lookup.ts'
import { withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { paint, visible, wrapped } from '../../output/print.ts'
import { show } from '../../output/data.ts'
import { config, variable } from '../../settings.ts'
import { checkDaemon } from './daemon-checks.ts'
import { bad, ok, type Finding } from './finding.ts'
import { checkSandboxes } from './sandbox-checks.ts'

const LEAST_NODE = [20, 19] as const
const PATIENCE_MS = 3000
export function define(command: Command): void {
  withExamples(withDaemon(command), 'svc doctor', 'svc doctor --url http://127.0.0.1:17000').action(examine)
}

async function examine(options: DaemonOptions): Promise<void> {
  const daemon = await checkDaemon(options)
  // The services of a daemon elsewhere have addresses that are not known here.
  const isLocal = daemon.isReachable && options.url === undefined
  const findings = [
    checkNode(),
    ...(await Promise.all([
      checkProgram('git', ['--version'], 'fail', installHint('git')),
      checkProgram('tmux', ['-V'], 'fail', installHint('tmux')),
      checkProgram('zsh', ['--version'], 'warn', `${installHint('zsh')}; agents that use zsh get bash instead`),
      checkProgram(
        variable('SVC_AGENT_COMMAND') ?? 'claude',
        ['--version'],
        'warn',
        'only needed for the runtime claude-code: npm install -g @anthropic-ai/claude-code, or set SVC_AGENT_COMMAND',
      ),
      checkDataFolder(),
      checkDatabase(),
      checkPeers(),
      ...(isLocal
        ? [checkWebhooks()]
        : daemon.isReachable
          ? []
          : everyService.filter(({ mount }) => !mount).map(checkPort)),
    ])),
    ...(await checkSandboxes(isLocal)),
    ...daemon.findings,
  ]
  await show(findings, options, () => findings.map(line).join('\n'))
  if (findings.some((finding) => finding.status === 'fail')) process.exitCode = 1
}

function line({ check, status, detail, fix }: Finding): string {
  const colours = paint()
  const mark = { ok: colours.green('ok  '), warn: colours.yellow('warn'), fail: colours.red('FAIL') }[status]
  return `${mark}  ${wrapped(`${check}: ${visible(detail)}`, 6)}${fix ? `\n      fix: ${wrapped(fix, 11)}` : ''}`
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  if (major > LEAST_NODE[0] || (major === LEAST_NODE[0] && minor >= LEAST_NODE[1]))
    return ok('node', process.versions.node)
  const fix = `install ${LEAST_NODE.join('.')} or newer from https://nodejs.org`
  return bad('fail', 'node', `${process.versions.node} is too old`, fix)
}

function installHint(name: string): string {
  return process.platform === 'darwin' ? `brew install ${name}` : `apt-get install ${name}, or dnf install ${name}`
}

async function checkProgram(name: string, flags: string[], missing: 'warn' | 'fail', fix: string): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(name, flags, { timeout: PATIENCE_MS })
    return ok(name, stdout.trim().split('\n')[0]!)
  } catch {
    return bad(missing, name, 'not installed', fix)
  }
}

async function checkDataFolder(): Promise<Finding> {
  const { dataDir } = config()
  let folder = dataDir
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
  try {
    await access(folder, constants.W_OK)
    return ok('data folder', folder === dataDir ? dataDir : `${dataDir} (created at the first start)`)
  } catch {
    const fix = 'make it writable, or set SVC_DATA_DIR'
    return bad('fail', 'data folder', `${folder} is not writable`, fix)
  }
}

async function checkDatabase(): Promise<Finding> {
  const { databaseUrl } = config()
  const shown = databaseUrl.replace(/\/\/.*@/, '//***@')
  const file = databaseUrl.startsWith('sqlite:') ? databaseUrl.replace(/^sqlite:(\/\/)?/, '') : null
  if (file && !existsSync(file)) return ok('database', `${shown} (created at the first start)`)
  const { openDatabase } = await import('../../../platform/database/database.ts')
  const db = openDatabase(databaseUrl, { readOnly: file !== null })
  try {
    await db.raw('select count(*) from ' + (file ? 'sqlite_master' : 'information_schema.tables'))
    return ok('database', shown)
  } catch (error) {
    const fix = file
      ? 'check the file, its folder and the disk; restore a backup if it is damaged'
      : 'check SVC_DATABASE_URL and the server'
    return bad('fail', 'database', `${shown} cannot be opened: ${(error as Error).message}`, fix)
  } finally {
    await db.destroy()
  }
}

/** Without peer credentials every local user counts as the daemon's user. */
async function checkPeers(): Promise<Finding> {
  const check = 'user of a connection'
  if (config().auth) return ok(check, 'not checked: every request needs a token')
  const { canIdentifyPeers } = await import('../../../platform/peer/peers.ts')
  if (await canIdentifyPeers()) return ok(check, 'reported by the system: other users need a token to change anything')
  const detail = 'not reported by this system: every local user can change everything over the loopback address'
  return bad('warn', check, detail, `set SVC_AUTH=on, and create tokens with "${typed`svc token create NAME`}"`)
}

async function checkWebhooks(): Promise<Finding> {
  const check = 'webhooks'
  try {
    const open = await openWebhooks({ timeoutMs: PATIENCE_MS })
    if (open.length === 0) return ok(check, 'every one has a secret')
    const accepted = config().openWebhooks
    const effect = accepted ? 'every caller can create tasks' : 'deliveries are refused'
    const setting = accepted ? 'SVC_OPEN_WEBHOOKS=off to refuse' : 'SVC_OPEN_WEBHOOKS=on to accept'
    const detail = `${effect}, because these workflows have no webhook secret: ${open.join(', ')}`
    return bad('warn', check, detail, `set secret in their triggers, or ${setting} unsigned deliveries`)
  } catch (error) {
    const fix = `check "${typed`agent orchestrator list-workflows`}"`
    return bad('warn', check, (error as Error).message, fix)
  }
}

function checkPort(group: OperationGroup): Promise<Finding> {
  const { service } = group
  const port = config().port(group)
  const check = `port of the ${service}`
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'used by another program' : `not available: ${error.message}`
      const fix = `stop that program, or set SVC_${service.toUpperCase()}_PORT`
      resolve(bad('fail', check, `${port} is ${why}`, fix))
    })
    server.listen(port, config().bind, () =>
      server.close(() => resolve(ok(check, port === 0 ? '0: any free port' : `${port} is free`))),
    )
  })
}
