// Reports resources of an earlier apply of a path that it no longer declares.
import type { PlanInput } from '../../schemas/plan.ts'
import type { ControllerClient } from '../controller-client.ts'
import { note, visible } from '../output/print.ts'
import { STDIN } from '../standard-input.ts'
import { nameList } from '../output/name-lists.ts'

const MOST_NAMED = 5

/** Standard input has no identity, so nothing can be orphaned. */
export async function noteOrphans(
  client: ControllerClient,
  input: PlanInput,
  path: string,
  command: string,
): Promise<void> {
  if (input.prune || input.plan || path === STDIN) return
  const { steps, guard } = await client.plan({ body: { ...input, prune: true } })
  const left = steps.filter(({ action }) => action === 'delete').map(({ kind, name }) => `${kind}/${name}`)
  const all = [...new Set([...left, ...(guard?.resources ?? [])])]
  if (all.length === 0) return
  note(
    `${nameList(all.map(visible), MOST_NAMED)}: created by an earlier apply of ${visible(path)} and no longer declared there\ndelete ${all.length === 1 ? 'it' : 'them'} with: ${command}`,
  )
}
