import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { FileStore } from '../../../services/code-index/store/file-store.ts'
import { testKills } from './kills.ts'

const folder = mkdtempSync(join(tmpdir(), 'svc-kills-'))
afterAll(() => rmSync(folder, { recursive: true }))
const newFolder = (): string => mkdtempSync(join(folder, 'store-'))

testKills('files', { newFolder, open: (place) => new FileStore(join(place, 'code_chunks')), longestMs: 250 })
