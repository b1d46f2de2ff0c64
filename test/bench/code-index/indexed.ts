// The code index alone, with the builtin embedding, asked over REST.
import { join } from 'node:path'
import { services } from '../../../daemon/services.ts'
import { request } from '../../support/http.ts'
import { startServices } from '../../support/services.ts'
import packages from './packages.json' with { type: 'json' }

type Ask = (method: string, path: string, body?: object) => Promise<any>

/** With the trees of all languages below `into` indexed. */
export async function startIndexed(into: string): Promise<{ ask: Ask; close(): Promise<void> }> {
  const served = services({ sources: [] }).filter(({ name }) => name === 'index')
  const env = { SVC_INDEX_EMBEDDING_PROVIDER: 'builtin', SVC_INDEX_WATCH_INTERVAL: '3600' }
  const stand = await startServices(served, { url: `sqlite:${join(into, 'svc.db')}`, env })
  const ask: Ask = (method, path, body) => request(method, stand.host.urls.index! + path, body)
  try {
    for (const language of Object.keys(packages)) {
      const { id } = await ask('POST', '/repositories', { name: language, path: join(into, language) })
      await ready(() => ask('GET', `/repositories/${id}/status`))
    }
  } catch (error) {
    await stand.close()
    throw error
  }
  return { ask, close: () => stand.close() }
}

async function ready(look: () => Promise<{ status: string; error_message: string | null }>): Promise<void> {
  for (;;) {
    const { status, error_message } = await look()
    if (status === 'ready') return
    if (status === 'error') throw new Error(error_message ?? status)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
