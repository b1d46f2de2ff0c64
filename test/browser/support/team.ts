// A daemon with a small team, whose records fill every screen.
import type { Page } from 'playwright-core'
import type { Approval } from '../../../schemas/tools/approval.ts'
import { DaemonStand } from '../../support/daemon.ts'
import { eventually } from '../../support/eventually.ts'

/** A scripted agent whose tool uses wait for a person. */
export const agentManifest = (name: string, prompt: string): string =>
  `name: ${name}\nruntime: scripted\nshell: bash\nworking_dir: .\npolicy: ask-a-person\nprompt: ${prompt}\n`

export const ASK = 'name: ask-a-person\ndescription: Every tool use waits for a person\nmode: require_approval\n'

/** Starts a daemon with agents that request approval, by name and command, and with `greeter`, which does not. */
export async function startTeam(commands: Readonly<Record<string, string>>): Promise<DaemonStand> {
  const stand = await DaemonStand.create()
  stand.write('policies/ask-a-person.yml', ASK)
  stand.write('agents/greeter.yml', agentManifest('greeter', 'say hello'))
  for (const [name, command] of Object.entries(commands))
    stand.write(`agents/${name}.yml`, agentManifest(name, `USE_TOOL Bash ${command}`))
  await stand.startReady()
  for (const name of Object.keys(commands)) await pendingOf(stand, name)
  return stand
}

export const addressOf = ({ controller }: DaemonStand, path: string): string => `${controller}/ui${path}`

export const approvals = (stand: DaemonStand): Promise<Approval[]> =>
  stand.get<Approval[]>(`${stand.orchestrator}/approvals`)

/** Waits until the agent waits for a person. */
export const pendingOf = (stand: DaemonStand, name: string): Promise<Approval> =>
  eventually(async () =>
    (await approvals(stand)).find(({ agent_name, status }) => agent_name === name && status === 'pending'),
  )

/** Waits until the request is no longer pending. */
export const decided = (stand: DaemonStand, id: string): Promise<Approval> =>
  eventually(async () => {
    const approval = await stand.get<Approval>(`${stand.orchestrator}/approvals/${id}`)
    return approval.status !== 'pending' && approval
  })

/** Changes live state by hand, and waits until the drift is recorded. */
export async function driftByHand(stand: DaemonStand, name: string, prompt: string): Promise<void> {
  const { id } = await stand.agentNamed(name)
  const { status, body } = await stand.ask('PATCH', `${stand.orchestrator}/agents/${id}`, {
    config: { system_prompt: prompt },
  })
  if (status !== 200) throw new Error(`PATCH of ${name}: ${status} ${JSON.stringify(body)}`)
  await eventually(async () =>
    (await stand.get<{ name: string; resolution: string | null }[]>(`${stand.controller}/drift`)).some(
      (drift) => drift.name === name && drift.resolution === null,
    ),
  )
}

/** Waits until the connection is live. A narrow window hides the foot. */
export async function live(page: Page): Promise<Page> {
  await page.locator('footer').getByText('live', { exact: true }).waitFor({ state: 'attached' })
  return page
}

/** Waits until the request on screen may be decided. */
export async function awake(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Approve (once|all)/, disabled: false }).waitFor()
}
