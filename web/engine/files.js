/* files: the system calls of WASI over files in memory, as the library needs them: whole reads and writes, folders,
 * renames. There is no other file, no clock but one for measuring, no program and no network. */

const OK = 0, BADF = 8, EXIST = 20, INVAL = 28, ISDIR = 31, NOENT = 44, NOSYS = 52, NOTDIR = 54, NOTEMPTY = 55;
const FOLDER = 3, REGULAR = 4, STREAM = 2;
const CREATE = 1, ONLY_FOLDER = 2, EXCLUSIVE = 4, TRUNCATE = 8;
const APPEND = 1;
const ROOT = 3;

/** "a/./b/../c" as ["a", "c"]. */
function parts(path) {
    const way = [];
    for (const part of path.split("/")) {
        if (part === "" || part === ".") continue;
        if (part === "..") way.pop();
        else way.push(part);
    }
    return way;
}

class Node {
    constructor(folder) {
        this.folder = folder ? new Map() : null;
        this.bytes = new Uint8Array(0);
        this.length = 0;
    }
    get data() {
        return this.bytes.subarray(0, this.length);
    }
    resize(length) {
        if (length > this.bytes.length) {
            const larger = new Uint8Array(Math.max(length, 2 * this.bytes.length, 256));
            larger.set(this.data);
            this.bytes = larger;
        }
        if (length < this.length) this.bytes.fill(0, length, this.length);
        this.length = length;
    }
}

/** Files in memory. Paths are absolute or relative to the only folder that there is, "/". */
export class Files {
    constructor() {
        this.root = new Node(true);
        this.open = new Map();
        this.next = ROOT + 1;
    }

    find(path) {
        let node = this.root;
        for (const part of parts(path)) {
            node = node && node.folder ? node.folder.get(part) : undefined;
        }
        return node;
    }
    /** The folder in which a path lies, and its last name. */
    place(path) {
        const way = parts(path), name = way.pop();
        const folder = this.find(way.join("/"));
        return folder && folder.folder && name !== undefined ? { folder: folder.folder, name } : undefined;
    }

    makeFolder(path) {
        let node = this.root;
        for (const part of parts(path)) {
            if (!node.folder.has(part)) node.folder.set(part, new Node(true));
            node = node.folder.get(part);
            if (!node.folder) throw new Error(`${part} in ${path} is a file, not a folder`);
        }
    }
    write(path, content) {
        const way = parts(path), name = way.pop();
        this.makeFolder(way.join("/"));
        const node = new Node(false);
        node.bytes = typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
        node.length = node.bytes.length;
        this.find(way.join("/")).folder.set(name, node);
    }
    read(path) {
        const node = this.find(path);
        return node && !node.folder ? node.data.slice() : undefined;
    }
    remove(path) {
        const place = this.place(path);
        if (place) place.folder.delete(place.name);
    }
    /** Paths of all files below a folder, relative to it. */
    list(path) {
        const found = [];
        const walk = (node, before) => {
            for (const [name, inner] of node.folder) {
                if (inner.folder) walk(inner, before + name + "/");
                else found.push(before + name);
            }
        };
        const node = this.find(path);
        if (node && node.folder) walk(node, "");
        return found;
    }
}

/** The imports of the module. `memory` returns its present memory; `end` is called when it ends itself. */
export function wasi(files, memory, end) {
    const view = () => new DataView(memory().buffer);
    const bytes = () => new Uint8Array(memory().buffer);
    const text = (at, length) => new TextDecoder().decode(bytes().subarray(at, at + length));
    const set32 = (at, value) => view().setUint32(at, value, true);
    const set64 = (at, value) => view().setBigUint64(at, BigInt(value), true);

    function stat(node, at) {
        bytes().fill(0, at, at + 64);
        view().setUint8(at + 16, node ? (node.folder ? FOLDER : REGULAR) : STREAM);
        set64(at + 24, 1);
        set64(at + 32, node ? node.length : 0);
        return OK;
    }
    /** Calls `each` with the pieces of memory that an array of (address, length) names. */
    function pieces(at, count, each) {
        let done = 0;
        for (let i = 0; i < count; i++) {
            const from = view().getUint32(at + 8 * i, true), length = view().getUint32(at + 8 * i + 4, true);
            const n = each(from, length);
            done += n;
            if (n < length) break;
        }
        return done;
    }
    function addFile(folder, name) {
        const node = new Node(false);
        folder.set(name, node);
        return node;
    }

    const calls = {
        environ_sizes_get: (count, size) => (set32(count, 0), set32(size, 0), OK),
        environ_get: () => OK,
        clock_time_get(id, precision, at) {
            view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
            return OK;
        },
        proc_exit: end,

        fd_prestat_get(fd, at) {
            if (fd !== ROOT) return BADF;
            set32(at, 0), set32(at + 4, 1);
            return OK;
        },
        fd_prestat_dir_name(fd, at) {
            bytes()[at] = 47;
            return OK;
        },
        fd_fdstat_get(fd, at) {
            const own = files.open.get(fd);
            if (!own && fd > ROOT) return BADF;
            bytes().fill(0, at, at + 24);
            const node = fd === ROOT ? files.root : own && own.node;
            view().setUint8(at, node ? (node.folder ? FOLDER : REGULAR) : STREAM);
            view().setUint16(at + 2, own && own.append ? APPEND : 0, true);
            view().setBigUint64(at + 8, 0xffffffffffffffffn, true);
            view().setBigUint64(at + 16, 0xffffffffffffffffn, true);
            return OK;
        },
        fd_fdstat_set_flags: (fd) => (files.open.has(fd) ? OK : BADF),
        fd_close: (fd) => (files.open.delete(fd) ? OK : BADF),
        fd_sync: () => OK,
        fd_filestat_get(fd, at) {
            if (fd === ROOT) return stat(files.root, at);
            const own = files.open.get(fd);
            return own || fd < ROOT ? stat(own && own.node, at) : BADF;
        },
        fd_filestat_set_size(fd, length) {
            const own = files.open.get(fd);
            if (!own) return BADF;
            own.node.resize(Number(length));
            return OK;
        },
        fd_read(fd, at, count, done) {
            const own = files.open.get(fd);
            if (!own && fd !== 0) return BADF;
            set32(done, own ? pieces(at, count, (to, length) => {
                const part = own.node.data.subarray(own.at, own.at + length);
                bytes().set(part, to);
                own.at += part.length;
                return part.length;
            }) : 0);
            return OK;
        },
        fd_write(fd, at, count, done) {
            const own = files.open.get(fd);
            if (!own && (fd < 1 || fd > 2)) return BADF;
            set32(done, pieces(at, count, (from, length) => {
                if (!own) return length; /* the library prints nothing */
                if (own.append) own.at = own.node.length;
                if (own.at + length > own.node.length) own.node.resize(own.at + length);
                own.node.bytes.set(bytes().subarray(from, from + length), own.at);
                own.at += length;
                return length;
            }));
            return OK;
        },
        fd_seek(fd, offset, whence, at) {
            const own = files.open.get(fd);
            if (!own) return BADF;
            const to = Number(offset) + [0, own.at, own.node.length][whence];
            if (!(to >= 0)) return INVAL;
            own.at = to;
            set64(at, to);
            return OK;
        },
        fd_tell(fd, at) {
            const own = files.open.get(fd);
            if (!own) return BADF;
            set64(at, own.at);
            return OK;
        },
        fd_readdir(fd, at, room, cookie, used) {
            const own = fd === ROOT ? { node: files.root } : files.open.get(fd);
            if (!own || !own.node.folder) return BADF;
            const names = [...own.node.folder];
            let n = 0;
            for (let i = Number(cookie); i < names.length && n < room; i++) {
                const name = new TextEncoder().encode(names[i][0]);
                const entry = new Uint8Array(24 + name.length), head = new DataView(entry.buffer);
                head.setBigUint64(0, BigInt(i + 1), true);
                head.setUint32(16, name.length, true);
                head.setUint8(20, names[i][1].folder ? FOLDER : REGULAR);
                entry.set(name, 24);
                const part = entry.subarray(0, room - n);
                bytes().set(part, at + n);
                n += part.length;
            }
            set32(used, n);
            return OK;
        },

        path_open(fd, look, pathAt, pathLength, how, rights, inherited, flags, at) {
            const path = text(pathAt, pathLength);
            let node = files.find(path);
            if (node && how & CREATE && how & EXCLUSIVE) return EXIST;
            if (node && how & ONLY_FOLDER && !node.folder) return NOTDIR;
            if (!node && how & CREATE) {
                const place = files.place(path);
                if (!place) return NOENT;
                node = addFile(place.folder, place.name);
            }
            if (!node) return NOENT;
            if (how & TRUNCATE && !node.folder) node.resize(0);
            files.open.set(files.next, { node, at: 0, append: (flags & APPEND) !== 0 });
            set32(at, files.next++);
            return OK;
        },
        path_filestat_get(fd, look, pathAt, pathLength, at) {
            const node = files.find(text(pathAt, pathLength));
            return node ? stat(node, at) : NOENT;
        },
        path_filestat_set_times: () => OK,
        path_readlink: (fd, pathAt, pathLength) => (files.find(text(pathAt, pathLength)) ? INVAL : NOENT),
        path_create_directory(fd, pathAt, pathLength) {
            const place = files.place(text(pathAt, pathLength));
            if (!place) return NOENT;
            if (place.folder.has(place.name)) return EXIST;
            place.folder.set(place.name, new Node(true));
            return OK;
        },
        path_remove_directory(fd, pathAt, pathLength) {
            const place = files.place(text(pathAt, pathLength)), node = place && place.folder.get(place.name);
            if (!node) return NOENT;
            if (!node.folder) return NOTDIR;
            if (node.folder.size > 0) return NOTEMPTY;
            place.folder.delete(place.name);
            return OK;
        },
        path_unlink_file(fd, pathAt, pathLength) {
            const place = files.place(text(pathAt, pathLength)), node = place && place.folder.get(place.name);
            if (!node) return NOENT;
            if (node.folder) return ISDIR;
            place.folder.delete(place.name);
            return OK;
        },
        path_rename(fd, oldAt, oldLength, toFd, newAt, newLength) {
            const from = files.place(text(oldAt, oldLength)), to = files.place(text(newAt, newLength));
            const node = from && from.folder.get(from.name);
            if (!node || !to) return NOENT;
            const there = to.folder.get(to.name);
            if (there && there.folder && there.folder.size > 0) return NOTEMPTY;
            from.folder.delete(from.name);
            to.folder.set(to.name, node);
            return OK;
        },
    };
    /* Whatever else a later library of C asks for. */
    return new Proxy(calls, { get: (known, name) => known[name] || (() => NOSYS) });
}
