// What is live as files of manifests in a folder; nothing that is there is overwritten.
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { controllerOperations } from '../../schemas/operations/controller.ts'
import type { Exported } from '../../schemas/manifest/export.ts'
import { connect } from '../http-client.ts'
import { Failure } from '../failure.ts'
import type { UrlOption } from '../options.ts'
import { note, visible } from '../output/print.ts'
import { nameList } from '../output/name-lists.ts'

/** A machine with tens of thousands of resources takes its time. */
const TIMEOUT_MS = 300_000

/** Tells on standard error what is left out and what is to be set. */
export async function exportLive(options: UrlOption, kind?: string): Promise<Exported> {
  const client = connect(controllerOperations, { ...options, timeoutMs: TIMEOUT_MS })
  const exported = await client.exportLive({ query: { kind } })
  for (const warning of exported.warnings) note(visible(`warning: ${warning.kind}/${warning.name} ${warning.message}`))
  if (exported.variables.length > 0)
    note(`warning: secrets are not exported; set where svc runs: ${exported.variables.join(', ')}`)
  return exported
}

interface TextFile {
  path: string
  content: string
}

const MOST_NAMED = 3

/** Returns the paths, as the folder was typed. Where one of the files is there already, none is made. */
export async function writeNew(folder: string, files: readonly TextFile[], hint: string): Promise<string[]> {
  const paths = files.map(({ path }) => join(folder, path))
  const present = paths.filter((path) => existsSync(path))
  const are = present.length === 1 ? 'is' : 'are'
  if (present.length > 0)
    throw new Failure(`${nameList(present, MOST_NAMED)} ${are} there already; nothing was made`, { hint })
  try {
    for (const { path, content } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content, { flag: 'wx' })
    }
  } catch (error) {
    throw new Failure(`the manifests cannot be made: ${(error as Error).message}`, {
      where: folder,
      hint: 'name a folder you may write to',
    })
  }
  return paths
}
