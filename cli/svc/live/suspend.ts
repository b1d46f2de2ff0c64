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

export const suspend = (command: Command): void =>
  defineFor(command, 'suspend', 'a source (default: the one there is), or KIND/NAME of one resource', suspendedText)

export const resume = (command: Command): void =>
  defineFor(
    command,
    'resume',
    'a source (default: the one there is), or KIND/NAME of a resource that is suspended or contested',
    resumedText,
  )

function defineFor(
  command: Command,
  verb: 'suspend' | 'resume',
  help: string,
  textOf: (changed: Source | Resource) => string,
): void {
  command.argument('[target]', help)
  withExamples(withDaemon(command), `svc ${verb}`, `svc ${verb} team`, `svc ${verb} agents/planner`).action(
    async (name: string | undefined, options: DaemonOptions) => {
      const client = connectController(options)
      const changed = isResource(name)
        ? await client[`${verb}Resource`]({ params: resourceId(name) })
        : await client[`${verb}Source`]({ params: { name: name ?? (await findOnlySource(options)) } })
      await show(changed, options, () => fitted(textOf(changed)))
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

function resumedText(target: Source | Resource): string {
  if (!('sync' in target)) return `${visible(target.id)} is written again, as its manifest says`
  const again = `source ${visible(target.name)} is followed again`
  return target.sync.mode === 'manual'
    ? `${again}; its mode is manual\napply what waits with: ${typed`svc reconcile --source ${target.name}`}`
    : `${again}; what waited is applied now`
}

async function findOnlySource(options: UrlOption): Promise<string> {
  const names = await sourceNames(connectController(options), undefined)
  if (names.length === 1) return names[0]!
  throw misuse(`which of the ${names.length} sources?`, `name one: ${names.map(visible).join(', ')}`)
}
