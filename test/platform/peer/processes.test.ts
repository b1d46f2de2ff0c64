import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readlinkSync } from 'node:fs'
import { expect, test } from 'vitest'
import { Holders, Lineages, lineageOf } from '../../../platform/peer/processes.ts'

async function started(env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1000)'], {
    env: { ...process.env, ...env },
  })
  await once(child.stdout, 'data')
  return {
    pid: child.pid!,
    end: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

test('reads a process, its ancestors and their agent ids', async () => {
  const child = await started({ SVC_AGENT_ID: 'a1' })
  const lineage = await new Lineages().of(child.pid)
  expect(lineage.processes.slice(0, 2)).toEqual([child.pid, process.pid])
  expect(lineage.agentIds[0]).toBe('a1')
  await child.end()
})

test('caches a process, but not another with its pid', async () => {
  const lineages = new Lineages()
  const [one, other] = [await started(), await started()]
  const lineage = await lineages.of(one.pid)
  expect(await lineages.of(one.pid)).toBe(lineage)
  expect((await lineages.of(other.pid)).processes[0]).toBe(other.pid)
  await one.end()
  // Not from the cache: its pid may have been reused.
  expect(await lineages.of(one.pid)).toEqual(await lineageOf(one.pid))
  await other.end()
})

const socketsOf = (pid: number): number[] =>
  readdirSync(`/proc/${pid}/fd`).flatMap((name) => {
    try {
      const inode = /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${name}`))?.[1]
      return inode ? [Number(inode)] : []
    } catch {
      return [] // opened to read the table
    }
  })

test('finds the holders of many sockets in one lookup', async () => {
  const children = await Promise.all([started(), started(), started()])
  const own = new Set(socketsOf(process.pid))
  const expected = children.flatMap(({ pid }) =>
    socketsOf(pid)
      .filter((inode) => !own.has(inode))
      .map((inode) => ({ inode, pid })),
  )
  expect(new Set(expected.map(({ pid }) => pid)).size).toBe(3)
  const holders = new Holders()
  for (let turn = 0; turn < 3; turn++) {
    const asked = [...expected, ...expected, { inode: 4_000_000_000, pid: null }]
    const found = await Promise.all(asked.map(({ inode }) => holders.of(inode)))
    expect(found).toEqual(asked.map(({ pid }) => pid))
  }
  for (const child of children) await child.end()
})
