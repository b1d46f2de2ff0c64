import { createServer } from 'node:net'
import type { Command } from 'commander'
import { fromHere, typed } from '../../command-line.ts'
import { machineChecks } from '../../../platform/doctor/machine.ts'
import { WEBHOOKS, webhookCheck } from '../../../schemas/agent/team-checks.ts'
import type { OperationGroup } from '../../../schemas/operations/operation.ts'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import { everyService } from '../../../schemas/operations/services.ts'
import { connect } from '../../http-client.ts'
import { withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { paint, visible, wrapped } from '../../output/print.ts'
import { show } from '../../output/data.ts'
import { config } from '../../settings.ts'
import { checkDaemon } from './daemon-checks.ts'
import { bad, findingOf, ok, type Finding } from './finding.ts'
import { checkSandboxes } from './sandbox-checks.ts'

const PATIENCE_MS = 3000
export function define(command: Command): void {
  withExamples(withDaemon(command), 'svc doctor', 'svc doctor --url http://127.0.0.1:17000').action(examine)
}

async function examine(options: DaemonOptions): Promise<void> {
  const daemon = await checkDaemon(options)
  // The services of a daemon elsewhere have addresses that are not known here.
  const isLocal = daemon.isReachable && options.url === undefined
  const findings = [
    ...(await machineChecks(config(), fromHere)).map(findingOf),
    ...(await Promise.all(
      isLocal ? [checkWebhooks()] : daemon.isReachable ? [] : everyService.filter(({ mount }) => !mount).map(checkPort),
    )),
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

async function checkWebhooks(): Promise<Finding> {
  try {
    const workflows = await connect(orchestratorOperations, { timeoutMs: PATIENCE_MS }).listWorkflows()
    return findingOf(webhookCheck(workflows, config().openWebhooks))
  } catch (error) {
    const fix = `check "${typed`agent orchestrator list-workflows`}"`
    return bad('warn', WEBHOOKS.title, (error as Error).message, fix)
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
