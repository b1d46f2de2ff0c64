// `svc suspend | resume`: whether a source is followed. A rollback holds it until it is resumed as well.
import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { controllerOperations, resumeSource, suspendSource } from '../../../schemas/operations/controller.ts'
import { connectController } from '../../controller-client.ts'
import { misuse } from '../../failure.ts'
import { sourceNames } from '../../manifests/sources.ts'
import type { UrlOption } from '../../options.ts'
import { visible } from '../../output/print.ts'
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
  defineVerb(command, controllerOperations, resumeSource, {
    args,
    request: named,
    examples: ['svc resume', 'svc resume team'],
    done: ({ name, sync }) =>
      sync.mode === 'manual'
        ? `source ${visible(name)} is followed again; its mode is manual\napply what waits with: ${typed`svc reconcile --source ${name}`}`
        : `source ${visible(name)} is followed again; what waited is applied now`,
  })
}

async function named(_members: object, { words, options }: Typed): Promise<{ name: string }> {
  return { name: (words.name as string | undefined) ?? (await theOne(options)) }
}

async function theOne(options: UrlOption): Promise<string> {
  const names = await sourceNames(connectController(options), undefined)
  if (names.length === 1) return names[0]!
  throw misuse(`which of the ${names.length} sources?`, `name one: ${names.map(visible).join(', ')}`)
}
