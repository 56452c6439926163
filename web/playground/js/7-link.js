// link: the address of the page holds what it shows: #model=classics/bouncing-ball&p.e=0.5, #story=creep/2, or the text itself,
// #text=... as it is or #z=... deflated.

const base64 = bytes => btoa(Array.from(bytes, b => String.fromCharCode(b)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
const bytesOf = text => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));
async function through(stream, bytes) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}
const deflate = async text => base64(await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text)));
const MOST_TEXT = 4e6;
async function inflate(text) {
  const bytes = await through(new DecompressionStream("deflate-raw"), bytesOf(text));
  if (bytes.length > MOST_TEXT) throw new Error("the text of the link is too long");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

// The files that a model of the menu names, by the names that it writes; large ones come when they are needed.
async function filesOfModel(model) {
  const files = {};
  for (const [name, path] of Object.entries(model.files)) {
    if (!(path in drystoneModels.data)) await new Promise((done, fail) => {
      const script = el("script", { src: drystoneModels.large[path] });
      script.onload = done;
      script.onerror = () => fail(new Error(path + " could not be loaded: open this model once while there is a network"));
      document.head.append(script);
    });
    files[name] = drystoneModels.data[path];
  }
  return files;
}
const modelByPath = path => drystoneModels.models.find(m => m.path === path);

// state: { text, files, parameters, method, story, step }
async function linkOf(state) {
  const list = [];
  const put = (key, value) => list.push(key + "=" + encodeURIComponent(value).replace(/%2F/g, "/"));
  const known = drystoneModels.models.find(m => m.text === state.text && Object.keys(state.files).every(k => m.files[k] in drystoneModels.data && drystoneModels.data[m.files[k]] === state.files[k]));
  // A story sets its parameters: if the reader took one back, the link names the model alone.
  const inStory = state.story && Object.keys(state.story.steps[state.step].set).every(name => name in state.parameters);
  if (inStory) put("story", state.story.name + "/" + (state.step + 1));
  else if (known) put("model", known.path);
  if (!known) {
    put("z", await deflate(state.text));
    if (!inStory) put("name", state.name);
  }
  if (!known) for (const [name, text] of Object.entries(state.files)) put("f." + encodeURIComponent(name), await deflate(text));
  for (const [name, value] of Object.entries(state.parameters)) put("p." + name, String(value));
  for (const [name, value] of Object.entries(state.inputs)) put("i." + name, value);
  if (state.method) put("method", state.method);
  return "#" + list.join("&");
}

// What an address asks for; throws an Error that says what is wrong with it.
async function readLink(hash) {
  const asked = { parameters: {}, files: {}, inputs: {} };
  for (const part of hash.replace(/^#/, "").split("&").filter(Boolean)) {
    const at = part.indexOf("=");
    let key = at < 0 ? part : part.slice(0, at), value;
    try {
      key = decodeURIComponent(key);
      value = decodeURIComponent(at < 0 ? "" : part.slice(at + 1));
      if (key === "z") asked.text = await inflate(value);
      else if (key.startsWith("f.")) asked.files[key.slice(2)] = await inflate(value);
    } catch (e) {
      throw new Error("the link is damaged: " + key + " cannot be read (was it cut off?)");
    }
    if (key === "z" || key.startsWith("f.")) continue;
    if (key === "embed") asked.embed = true;
    else if (key === "text") asked.text = value;
    else if (key === "model") {
      asked.model = modelByPath(value.replace(/\.dry$/, ""));
      if (!asked.model) throw new Error("the link asks for the model " + value + ", which is not here");
    } else if (key === "story") {
      const [name, step] = value.split("/");
      asked.story = STORIES.find(s => s.name === name);
      if (!asked.story) throw new Error("the link asks for the story " + name + ", which is not here");
      asked.step = Math.max(1, Math.min(asked.story.steps.length, Number(step) || 1)) - 1;
    } else if (key.startsWith("p.")) {
      const x = Number(value);
      if (!isFinite(x)) throw new Error("the link sets " + key.slice(2) + " to " + value + ", which is not a number");
      asked.parameters[key.slice(2)] = x;
    } else if (key.startsWith("i.")) asked.inputs[key.slice(2)] = value;
    else if (key === "method") asked.method = value;
    else if (key === "name") asked.name = value;
    else throw new Error("the link has the unknown part " + key);
  }
  return asked;
}
