// `svc suspend | resume`: whether a source is followed, or one resource written. A rollback holds a source until it is
// resumed as well, and what is contested is not written until it is.
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { connectController } from '../../controller-client.ts'
import { misuse } from '../../failure.ts'
import { sourceNames } from '../../manifests/sources.ts'
import { resourceId, withDaemon, withExamples, type DaemonOptions, type UrlOption } from '../../options.ts'
import { show } from '../../output/data.ts'
import { fitted, visible } from '../../output/print.ts'
import type { Resource } from '../../../schemas/resource.ts'
import type { Source } from '../../../schemas/source.ts'

export function suspend(command: Command): void {
  command.argument('[target]', 'a source (default: the one there is), or KIND/NAME of one resource')
  withExamples(withDaemon(command), 'svc suspend', 'svc suspend team', 'svc suspend agents/planner').action(
    async (name: string | undefined, options: DaemonOptions) => {
      const client = connectController(options)
      const suspended = isResource(name)
        ? await client.suspendResource({ params: resourceId(name) })
        : await client.suspendSource({ params: { name: name ?? (await findOnlySource(options)) } })
      await show(suspended, options, () => fitted(suspendedText(suspended)))
    },
  )
}

export function resume(command: Command): void {
  command.argument(
    '[target]',
    'a source (default: the one there is), or KIND/NAME of a resource that is suspended or contested',
  )
  withExamples(withDaemon(command), 'svc resume', 'svc resume team', 'svc resume agents/planner').action(
    async (name: string | undefined, options: DaemonOptions) => {
      const client = connectController(options)
      const resumed = isResource(name)
        ? await client.resumeResource({ params: resourceId(name) })
        : await client.resumeSource({ params: { name: name ?? (await findOnlySource(options)) } })
      await show(resumed, options, () => fitted('sync' in resumed ? resumedSource(resumed) : resumedResource(resumed)))
    },
  )
}

const isResource = (name: string | undefined): name is string =>
  name !== undefined && name.includes('/') && !name.startsWith('apply:')

function suspendedText(target: Source | Resource): string {
  const isSource = 'sync' in target
  const [title, id] = isSource ? [`source ${visible(target.name)}`, target.name] : [visible(target.id), target.id]
  const waits = isSource ? 'what changes in its manifests' : 'what its manifest says'
  return `${title} is suspended: ${waits} waits, drift is still reported\ngo on with: ${typed`svc resume ${id}`}`
}

const resumedResource = ({ id }: Resource): string => `${visible(id)} is written again, as its manifest says`

const resumedSource = ({ name, sync }: Source): string =>
  sync.mode === 'manual'
    ? `source ${visible(name)} is followed again; its mode is manual\napply what waits with: ${typed`svc reconcile --source ${name}`}`
    : `source ${visible(name)} is followed again; what waited is applied now`

async function findOnlySource(options: UrlOption): Promise<string> {
  const names = await sourceNames(connectController(options), undefined)
  if (names.length === 1) return names[0]!
  throw misuse(`which of the ${names.length} sources?`, `name one: ${names.map(visible).join(', ')}`)
}
