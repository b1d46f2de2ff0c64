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

const TIMEOUT_MS = 300_000

/** Reports omitted state and unset variables on standard error. */
export async function exportLive(options: UrlOption, kind?: string): Promise<Exported> {
  const client = connect(controllerOperations, { ...options, timeoutMs: TIMEOUT_MS })
  const exported = await client.exportLive({ query: { kind } })
  for (const warning of exported.warnings) note(visible(`warning: ${warning.kind}/${warning.name} ${warning.message}`))
  if (exported.variables.length > 0)
    note(`warning: secrets are not exported; set these where svc runs: ${exported.variables.join(', ')}`)
  return exported
}

interface TextFile {
  path: string
  content: string
}

const MOST_NAMED = 3

/** Writes all files, or none if one of them exists. Returns their paths. */
export async function writeNew(folder: string, files: readonly TextFile[], hint: string): Promise<string[]> {
  const paths = files.map(({ path }) => join(folder, path))
  const present = paths.filter((path) => existsSync(path))
  const exists = present.length === 1 ? 'exists' : 'exist'
  if (present.length > 0)
    throw new Failure(`${nameList(present, MOST_NAMED)} already ${exists}; nothing was written`, { hint })
  try {
    for (const { path, content } of files) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), content, { flag: 'wx' })
    }
  } catch (error) {
    throw new Failure(`cannot write the manifests: ${(error as Error).message}`, {
      where: folder,
      hint: 'use a writable folder',
    })
  }
  return paths
}
