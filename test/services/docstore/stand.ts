// The document store with a test clock.
import { join } from 'node:path'
import { services } from '../../../daemon/services.ts'
import { TestClock } from '../../../platform/core/clock.ts'
import type { DocumentsConfig } from '../../../schemas/docstore/document.ts'
import { ask as askUrl, type Reply } from '../../support/http.ts'
import { startServices, type ServiceStand } from '../../support/services.ts'

export interface DocstoreStand extends ServiceStand {
  clock: TestClock
  /** The default document folder. */
  documents: string
  ask<T = any>(request: string, body?: unknown, headers?: Record<string, string>): Promise<Reply<T>>
  /** Creates a document and returns its id. */
  make(title: string, more?: object): Promise<string>
}

export async function startDocstore(
  url: string,
  { config = {}, env = {} }: { config?: DocumentsConfig; env?: Record<string, string> } = {},
): Promise<DocstoreStand> {
  const clock = new TestClock(Date.UTC(2030, 0, 1, 12))
  const served = services({ sources: [], documents: config }).filter(({ name }) => name === 'docstore')
  const stand = await startServices(served, { url, clock, env })
  const ask: DocstoreStand['ask'] = (request, body, headers) => {
    const [method, path] = request.split(' ') as [string, string]
    return askUrl(method, stand.host.urls.docstore! + path, body, headers)
  }
  const make = async (title: string, more: object = {}) => {
    const { status, body } = await ask('POST /v1/documents', { title, content: `# ${title}\n`, ...more })
    if (status !== 201) throw new Error(`${status}: ${body.detail}`)
    return body.document.id as string
  }
  return Object.assign(stand, { clock, documents: join(stand.folder, 'data', 'documents'), ask, make })
}
