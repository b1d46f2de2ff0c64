import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { FileStore } from '../../../../services/code-index/store/file-store.ts'
import { testIndexOn } from './service-contract.ts'
import { testStore } from './store-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-stores-'))
afterAll(() => rmSync(folder, { recursive: true }))
const newFolder = (): string => mkdtempSync(join(folder, 'store-'))

testStore('store', {
  make: (place) => new FileStore(place),
  newFolder,
  generations: '',
  damaged: [/about\.json$/, /symbol\.bin$/, /names\.json$/],
})
testIndexOn('files', newFolder)
