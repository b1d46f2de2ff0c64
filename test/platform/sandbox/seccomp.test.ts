import { expect, test } from 'vitest'
import { seccompFilter } from '../../../platform/sandbox/seccomp.ts'

const ALLOW = 0x7fff_0000
const EPERM = 0x0005_0001
const ENOSYS = 0x0005_0026

interface Call {
  audit?: number
  number: number
  args?: [number?, number?]
}

/** Runs the program as the kernel does; `data` is `struct seccomp_data`. */
function judge(filter: Buffer, { audit = AUDIT.x64, number, args: [first = 0, second = 0] = [] }: Call): number {
  const data = Buffer.alloc(64)
  for (const [offset, value] of [
    [0, number],
    [4, audit],
    [16, first],
    [24, second],
  ] as const)
    data.writeUInt32LE(value, offset)
  let loaded = 0
  for (let index = 0; ; index++) {
    const at = index * 8
    const [code, ifTrue, ifFalse] = [filter.readUInt16LE(at), filter[at + 2]!, filter[at + 3]!]
    const value = filter.readUInt32LE(at + 4)
    if (code === 0x20) loaded = data.readUInt32LE(value)
    else if (code === 0x15) index += loaded === value ? ifTrue : ifFalse
    else if (code === 0x35) index += loaded >= value ? ifTrue : ifFalse
    else if (code === 0x06) return value
    else throw new Error(`unknown instruction ${code}`)
  }
}

const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7, i386: 0x40000003 }
const NUMBERS = {
  x64: {
    read: 0,
    ptrace: 101,
    clone: 56,
    socket: 41,
    ioctl: 16,
    keyctl: 250,
    add_key: 248,
    request_key: 249,
    io_uring_setup: 425,
    io_uring_enter: 426,
    io_uring_register: 427,
    bpf: 321,
    perf_event_open: 298,
    userfaultfd: 323,
    syslog: 103,
    kexec_load: 246,
    kexec_file_load: 320,
  },
  arm64: {
    read: 63,
    ptrace: 117,
    clone: 220,
    socket: 198,
    ioctl: 29,
    keyctl: 219,
    add_key: 217,
    request_key: 218,
    io_uring_setup: 425,
    io_uring_enter: 426,
    io_uring_register: 427,
    bpf: 280,
    perf_event_open: 241,
    userfaultfd: 282,
    syslog: 116,
    kexec_load: 104,
    kexec_file_load: 294,
  },
}
const DENIED = [
  'keyctl',
  'add_key',
  'request_key',
  'io_uring_setup',
  'io_uring_enter',
  'io_uring_register',
  'bpf',
  'perf_event_open',
  'userfaultfd',
  'syslog',
  'kexec_load',
  'kexec_file_load',
] as const

for (const arch of ['x64', 'arm64'] as const) {
  const filter = seccompFilter(arch)!
  const audit = AUDIT[arch]
  const numbers = NUMBERS[arch]

  test.each(DENIED)(`denies %s on ${arch}`, (name) => {
    expect(judge(filter, { audit, number: numbers[name] })).toBe(EPERM)
  })

  test.each(['read', 'ptrace', 'clone'] as const)(`allows %s on ${arch}`, (name) => {
    expect(judge(filter, { audit, number: numbers[name] })).toBe(ALLOW)
  })

  test(`denies sockets of virtual machines and typed input on ${arch}, and no others`, () => {
    const socket = (family: number) => judge(filter, { audit, number: numbers.socket, args: [family] })
    const ioctl = (request: number) => judge(filter, { audit, number: numbers.ioctl, args: [0, request] })
    expect([1, 2, 10, 40].map(socket)).toEqual([ALLOW, ALLOW, ALLOW, EPERM])
    expect([0x5401, 0x5412, 0x541c, 0x5413].map(ioctl)).toEqual([ALLOW, EPERM, EPERM, ALLOW])
  })

  test(`refuses calls of other architectures on ${arch}`, () => {
    for (const other of Object.values(AUDIT).filter((each) => each !== audit))
      expect(judge(filter, { audit: other, number: numbers.read })).toBe(ENOSYS)
  })
}

test('refuses calls of x32', () => {
  expect(judge(seccompFilter('x64')!, { number: 0x4000_0000 + NUMBERS.x64.read })).toBe(ENOSYS)
})

test('has no filter for another architecture', () => {
  expect(seccompFilter('riscv64')).toBeNull()
})
