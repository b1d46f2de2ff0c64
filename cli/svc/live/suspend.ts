// `svc suspend | resume`: whether a source is followed. A rollback holds it until it is resumed as well,
// and what is contested is not written until it is.
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { controllerOperations, suspendSource } from '../../../schemas/operations/controller.ts'
import { connectController } from '../../controller-client.ts'
import { misuse } from '../../failure.ts'
import { sourceNames } from '../../manifests/sources.ts'
import {
  isData,
  resourceId,
  withExamples,
  withOutput,
  withUrl,
  type OutputOption,
  type UrlOption,
} from '../../options.ts'
import { printData } from '../../output/data.ts'
import { print, visible } from '../../output/print.ts'
import type { Source } from '../../../schemas/source.ts'
import { defineVerb, type Typed } from '../../verb.ts'

const args = [{ member: 'name', shown: '[source]', help: 'default: the one source there is' }]

export function suspend(command: Command): void {
  defineVerb(command, controllerOperations, suspendSource, {
    args,
    request: named,
    examples: ['svc suspend', 'svc suspend team'],
    done: ({ name }) =>
      `source ${visible(name)} is suspended: what changes in its manifests waits, drift is still reported\ngo on with: ${typed`svc resume ${name}`}`,
  })
}

export function resume(command: Command): void {
  command.argument('[name]', 'a source (default: the one there is), or KIND/NAME of what is contested')
  withExamples(withUrl(withOutput(command)), 'svc resume', 'svc resume team').action(resumeNamed)
}

async function resumeNamed(name: string | undefined, options: UrlOption & OutputOption): Promise<void> {
  const client = connectController(options)
  const isResource = name !== undefined && name.includes('/') && !name.startsWith('apply:')
  const resumed = isResource
    ? await client.resumeResource({ params: resourceId(name) })
    : await client.resumeSource({ params: { name: name ?? (await theOne(options)) } })
  if (isData(options)) return printData(resumed, options)
  print('sync' in resumed ? sourceText(resumed) : `${visible(resumed.id)} is written again, as its manifest says`)
}

const sourceText = ({ name, sync }: Source): string =>
  sync.mode === 'manual'
    ? `source ${visible(name)} is followed again; its mode is manual\napply what waits with: ${typed`svc reconcile --source ${name}`}`
    : `source ${visible(name)} is followed again; what waited is applied now`

async function named(_members: object, { words, options }: Typed): Promise<{ name: string }> {
  return { name: (words.name as string | undefined) ?? (await theOne(options)) }
}

async function theOne(options: UrlOption): Promise<string> {
  const names = await sourceNames(connectController(options), undefined)
  if (names.length === 1) return names[0]!
  throw misuse(`which of the ${names.length} sources?`, `name one: ${names.map(visible).join(', ')}`)
}
