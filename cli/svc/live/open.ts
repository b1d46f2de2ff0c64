import type { Command } from 'commander'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import { common } from '../../../schemas/operations/health.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { addressOf } from '../../address.ts'
import { openInBrowser } from '../../page/browser.ts'
import { misuse } from '../../failure.ts'
import { connect } from '../../http-client.ts'
import { withDaemon, withExamples, type DaemonOptions } from '../../options.ts'
import { show } from '../../output/data.ts'
import { note } from '../../output/print.ts'
import { pageAddress } from '../../page/address.ts'
import { SCREENS } from '../../page/screens.ts'
import { config } from '../../settings.ts'

export function define(command: Command): void {
  command.argument('[screen]', `Screen, with the path of a record below it (default: inbox): ${SCREENS.join(', ')}`)
  withExamples(withDaemon(command), 'svc open', 'svc open drift', 'svc open state/agents/planner').action(open)
}

async function open(screen: string | undefined, options: DaemonOptions): Promise<void> {
  const path = screen === undefined ? '' : pathOf(screen)
  await connect(common(controllerOperations), options).health()
  const publicUrl = options.url === undefined ? config().publicUrl : null
  const address = pageAddress(addressOf(controllerOperations, options.url).base, publicUrl) + path
  const problem = await openInBrowser(address)
  await show({ address, opened: problem === null }, options, address)
  if (problem !== null) note(`No browser was opened: ${problem}. Open the address in one.`)
}

/** Throws a Failure for an unknown screen. */
function pathOf(text: string): string {
  const segments = text.split('/').filter((segment) => segment !== '')
  const [name = ''] = segments
  if (!SCREENS.some((screen) => screen === name))
    throw misuse(`unknown screen ${name}`, nearestHint(name, SCREENS, `screens: ${SCREENS.join(', ')}`))
  return segments.map(encodeURIComponent).join('/')
}
