// What an earlier apply of a path made and it names no more: left alone without --prune, and told of.
import type { PlanInput } from '../../schemas/plan.ts'
import type { ControllerClient } from '../controller-client.ts'
import { note, visible } from '../output/print.ts'
import { STDIN } from './path.ts'
import { nameList } from '../output/name-lists.ts'

const MOST_NAMED = 5

/** Nothing for standard input, which is no place that could name them. */
export async function tellOrphans(
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
    `${nameList(all.map(visible), MOST_NAMED)}: made by an earlier apply of ${visible(path)}, and named there no more\ndelete ${all.length === 1 ? 'it' : 'them'} with: ${command}`,
  )
}
