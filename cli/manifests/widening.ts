import { renderPlan } from '../../controller/rendering/plan.ts'
import { WIDENING_POLICY, type Plan, type PlanInput } from '../../schemas/plan.ts'
import { confirm } from '../confirm.ts'
import type { ControllerClient } from '../controller-client.ts'
import { fitted, note } from '../output/print.ts'
import { inTerminal } from './apply.ts'

/**
 * Shows the widening steps that the daemon would hold back, and asks for them. Returns the input with their hash if the
 * answer is yes. In a script the steps stay held, unless `yes`.
 */
export async function confirmWidening(
  client: ControllerClient,
  input: PlanInput,
  { yes = false }: { yes?: boolean | undefined },
): Promise<PlanInput> {
  if (input.plan || input.confirm !== undefined || !(yes || process.stdin.isTTY)) return input
  const held = onlyWidened(await client.plan({ body: input }))
  if (held === null) return input
  const confirmed = { ...input, confirm: held.hash }
  const { steps, ...plan } = await client.plan({ body: confirmed })
  const shown = steps.filter(({ kind, name }) => held.ids.includes(`${kind}/${name}`))
  note(fitted(renderPlan({ ...plan, ...NOTHING_ELSE, steps: shown, summary: countOf(shown) }, 'human', inTerminal())))
  if (yes) return confirmed
  const [first, ...more] = held.ids
  const what = more.length === 0 ? first : `${first} and ${more.length} more`
  await confirm(`An agent could have written this, and it widens rights. Apply ${what}?`)
  return confirmed
}

const NOTHING_ELSE = { drift: [], guard: null, diagnostics: [], impact: undefined }

/** Null if nothing is held, or something by another policy. */
function onlyWidened({ held, policies = [] }: Plan): { ids: string[]; hash: string } | null {
  if (!held || held.hash === null) return null
  const ids = held.unconfirmed
  const by = policies.filter(
    ({ effect, resources }) => effect === 'confirm' && resources.some((id) => ids.includes(id)),
  )
  return by.every(({ policy }) => policy === WIDENING_POLICY) ? { ids, hash: held.hash } : null
}

function countOf(steps: Plan['steps']): Plan['summary'] {
  const summary = { create: 0, update: 0, restart: 0, replace: 0, adopt: 0, delete: 0, unchanged: 0 }
  for (const { action } of steps) summary[action]++
  return summary
}
