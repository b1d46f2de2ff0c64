// Checks of `svc doctor`: the daemon that commands use from here.
import { typed } from '../../command-line.ts'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import { common } from '../../../schemas/operations/health.ts'
import { addressOf, DEFAULT_PORT, type Address } from '../../address.ts'
import { healthOf, knownServices } from '../../agent/status.ts'
import { Failure } from '../../failure.ts'
import { connect, type ClientOptions } from '../../http-client.ts'
import type { UrlOption } from '../../options.ts'
import { visible } from '../../output/print.ts'
import { config, variable } from '../../settings.ts'
import { VERSION } from '../../version.ts'
import { bad, ok, type Finding } from './finding.ts'

const PATIENCE_MS = 3000
const CONTROLLER = 'svc-controller'

interface DaemonChecks {
  isReachable: boolean
  findings: Finding[]
}

export async function checkDaemon({ url }: UrlOption): Promise<DaemonChecks> {
  const asked: ClientOptions = { ...(url === undefined ? {} : { url }), timeoutMs: PATIENCE_MS }
  let address: Address | null = null
  try {
    address = addressOf(controllerOperations, url)
    const { status, service, version } = await connect(common(controllerOperations), asked).health()
    if (service !== CONTROLLER) return { isReachable: false, findings: [otherProgram(address, service)] }
    const detail = `${placeOf(address)} is ${visible(status)}`
    const log = `check "${typed`agent status`}" and its log`
    const daemon = status === 'ok' ? ok('daemon', detail) : bad('warn', 'daemon', detail, log)
    const services = url === undefined ? [await checkServices()] : []
    return { isReachable: true, findings: [daemon, versionOf(version), await checkAccess(asked), ...services] }
  } catch (error) {
    return { isReachable: false, findings: [unreachable(address, error)] }
  }
}

const placeOf = ({ base, from }: Address): string => `${base} (from ${from})`

/** Only an address that was set must answer: without one, the daemon may not have been started yet. */
function unreachable(address: Address | null, error: unknown): Finding {
  const usual = [DEFAULT_PORT, config().runtimeFile]
  const status = address !== null && usual.includes(address.from) ? 'warn' : 'fail'
  return bad(status, 'daemon', `${messageOf(error)}${address === null ? '' : ` (from ${address.from})`}`, hintOf(error))
}

function otherProgram(address: Address, service: unknown): Finding {
  const program = typeof service === 'string' ? `the service ${visible(service)}` : 'a program other than svc'
  const fix = `set it to the address of the controller, which "${typed`agent status`}" shows`
  return bad('fail', 'daemon', `${placeOf(address)} is ${program}`, fix)
}

function versionOf(version: string): Finding {
  const check = 'version of the daemon'
  if (version === VERSION) return ok(check, version)
  const fix = 'restart the daemon, or use the commands of its version'
  return bad('warn', check, `${visible(version)}, but that of this command is ${VERSION}`, fix)
}

/** Sends one request as the commands do. */
async function checkAccess(asked: ClientOptions): Promise<Finding> {
  const check = 'access to the daemon'
  try {
    await connect(controllerOperations, asked).listSources()
    return ok(check, variable('SVC_TOKEN') === undefined ? 'needs no token' : 'by the token in SVC_TOKEN')
  } catch (error) {
    return bad('fail', check, messageOf(error), hintOf(error))
  }
}

async function checkServices(): Promise<Finding> {
  const check = 'services of the daemon'
  const health = await Promise.all(knownServices().map((about) => healthOf(about, {})))
  const down = health.filter(({ status }) => status === 'down')
  if (down.length === 0) return ok(check, health.map(({ service }) => visible(service)).join(', '))
  const detail = `no answer from ${down.map(({ service, address }) => `${service} at ${address}`).join(', ')}`
  return bad('warn', check, detail, `check "${typed`agent status`}" and the log of the daemon`)
}

const messageOf = (error: unknown): string => visible((error as Error).message)

const hintOf = (error: unknown): string =>
  (error instanceof Failure && error.details.hint) || `check "${typed`agent status`}" and the log of the daemon`
