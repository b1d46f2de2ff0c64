// Names for manifests: from the inventory, else the live name if valid.
import { groupBy } from '../../../platform/core/group-by.ts'
import { isResourceName, type KindDefinition } from '../../../schemas/kind.ts'
import type { Exported } from '../../../schemas/manifest/export.ts'
import type { Owned } from '../../planning/ownership.ts'
import type { Observed } from '../../reconciler.ts'
import type { Inventory } from '../inventory.ts'

export interface LiveResource {
  definition: KindDefinition<any>
  name: string
  spec: any
  owned: Owned | undefined
}

export type Warning = Exported['warnings'][number]

interface Live {
  definition: KindDefinition<any>
  observed: Observed<any, any>
}

export interface Named {
  /** By kind in the given order, then by name. */
  resources: LiveResource[]
  warnings: Warning[]
  /** Of unowned resources, by kind/id. */
  unowned: Map<string, string>
  idOf(kind: string, name: string): string | null
}

export function nameResources(live: readonly Live[], inventory: Inventory): Named {
  const [warnings, unowned, ids] = [[] as Warning[], new Map<string, string>(), new Map<string, string>()]
  const entries = live.map((one) => ({
    ...one,
    owned: inventory.byLiveId(one.definition.kind, one.observed.liveId),
  }))
  const taken = groupBy(
    entries.filter(({ owned }) => !owned),
    idOf,
  )
  const resources = entries.flatMap(({ definition, observed, owned }): LiveResource[] => {
    const { kind } = definition
    const { name } = observed.spec as { name: string }
    const warn = (message: string) => void warnings.push({ kind, name, message })
    if (owned && owned.name !== name) warn(`is exported as "${owned.name}", its name in the manifest`)
    if (owned) return [{ definition, owned, name: owned.name, spec: under(owned.name, observed.spec) }]
    const why = whyUnnamed(name, {
      namesakes: taken.get(`${kind}/${name}`)!.length,
      isOwned: inventory.get(kind, name) !== undefined,
    })
    if (why !== null) return (warn(`is left out: ${why}`), [])
    unowned.set(`${kind}/${observed.liveId}`, name)
    ids.set(`${kind}/${name}`, observed.liveId)
    return [{ definition, owned, name, spec: observed.spec }]
  })
  return {
    resources: inOrder(resources, live),
    warnings,
    unowned,
    idOf: (kind, name) => ids.get(`${kind}/${name}`) ?? null,
  }
}

const idOf = ({ definition, observed }: Live): string => `${definition.kind}/${observed.spec.name}`

const under = (name: string, spec: any): any => (spec.name === name ? spec : { ...spec, name })

function whyUnnamed(name: string, { namesakes, isOwned }: { namesakes: number; isOwned: boolean }): string | null {
  if (!isResourceName(name)) return 'its name is not valid in a manifest'
  if (isOwned) return 'a manifest uses the name for another resource'
  return namesakes > 1 ? `${namesakes} resources have the name` : null
}

function inOrder(resources: LiveResource[], live: readonly Live[]): LiveResource[] {
  const kinds = [...new Set(live.map(({ definition }) => definition.kind))]
  return resources.sort(
    (a, b) => kinds.indexOf(a.definition.kind) - kinds.indexOf(b.definition.kind) || (a.name < b.name ? -1 : 1),
  )
}
