// `svc suspend | resume`. Resume also ends the hold of a rollback and resumes a contested resource.
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
import { appliedPath } from '../../../schemas/sync/applied-source.ts'

export const suspend = (command: Command): void =>
  defineFor(command, 'suspend', 'Source (default: the only one), or KIND/NAME of a resource', suspendedText)

export const resume = (command: Command): void =>
  defineFor(
    command,
    'resume',
    'Source (default: the only one), or KIND/NAME of a suspended or contested resource',
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
  name !== undefined && name.includes('/') && appliedPath(name) === null

function suspendedText(target: Source | Resource): string {
  const isSource = 'sync' in target
  const [title, id] = isSource ? [`source ${visible(target.name)}`, target.name] : [visible(target.id), target.id]
  const waits = isSource ? 'changes to its manifests' : 'changes to its manifest'
  return `${title} is suspended: ${waits} are pending, drift is still reported\nresume with: ${typed`svc resume ${id}`}`
}

function resumedText(target: Source | Resource): string {
  if (!('sync' in target)) return `${visible(target.id)} follows its manifest again`
  const again = `source ${visible(target.name)} is resumed`
  return target.sync.mode === 'manual'
    ? `${again}; its mode is manual\napply pending changes with: ${typed`svc reconcile --source ${target.name}`}`
    : `${again}; pending changes are applied now`
}

async function findOnlySource(options: UrlOption): Promise<string> {
  const names = await sourceNames(connectController(options), undefined)
  if (names.length === 1) return names[0]!
  throw misuse(`no source given, and there are ${names.length}`, `pass one: ${names.map(visible).join(', ')}`)
}
