// The code index as the only service, with the builtin embedding.
import { basename, join } from 'node:path'
import { services } from '../../../daemon/services.ts'
import { request } from '../../support/http.ts'
import { startServices } from '../../support/services.ts'
import packages from './packages.json' with { type: 'json' }

export interface Index {
  url: string
  ask(method: string, path: string, body?: object): Promise<any>
  close(): Promise<void>
}

export async function startIndex(into: string, env: Record<string, string> = {}): Promise<Index> {
  const served = services({ sources: [] }).filter(({ name }) => name === 'index')
  const builtin = { SVC_INDEX_EMBEDDING_PROVIDER: 'builtin', SVC_INDEX_WATCH_INTERVAL: '3600' }
  const stand = await startServices(served, { url: `sqlite:${join(into, 'svc.db')}`, env: { ...builtin, ...env } })
  const url = stand.host.urls.index!
  return { url, ask: (method, path, body) => request(method, url + path, body), close: () => stand.close() }
}

/** Registers a directory and waits until it is indexed. */
export async function indexed({ ask }: Index, path: string): Promise<{ files: number; chunks: number }> {
  const { id } = await ask('POST', '/repositories', { name: basename(path), path })
  for (;;) {
    const { status, error_message, progress } = await ask('GET', `/repositories/${id}/status`)
    if (status === 'ready') return progress
    if (status === 'error') throw new Error(error_message ?? status)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Also indexes the trees of all languages below `into`. */
export async function startIndexed(into: string): Promise<Index> {
  const index = await startIndex(into)
  try {
    for (const language of Object.keys(packages)) await indexed(index, join(into, language))
    return index
  } catch (error) {
    await index.close()
    throw error
  }
}
