// A CUDA driver and an NVRTC without a GPU: g++ compiles the kernels, and the processor runs them.
// Built as libcuda.so and as libnvrtc.so. It has what this project uses, and checks little.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <fstream>
#include <functional>
#include <regex>
#include <sstream>
#include <string>
#include <unistd.h>

namespace {

struct Dimensions {
    unsigned x, y, z;
};

struct Kernel {
    void (*launch)(Dimensions, Dimensions, void **);
};

struct Program {
    std::string source, library, log;
};

const int SUCCESS = 0, INVALID = 1, OUT_OF_MEMORY = 2, NOT_FOUND = 500;

long setting(const char *name, long otherwise) {
    const char *value = std::getenv(name);
    return value ? std::atol(value) : otherwise;
}

std::string folder() {
    Dl_info info;
    dladdr((void *)&folder, &info);
    std::string path = info.dli_fname;
    return path.substr(0, path.rfind('/'));
}

// A function for each kernel that unpacks its parameters.
std::string launchers(const std::string &source) {
    std::stringstream text;
    std::regex kernel("extern \"C\" __global__ void (\\w+)\\(([^)]*)\\)");
    auto begin = std::sregex_iterator(source.begin(), source.end(), kernel);
    for (auto it = begin; it != std::sregex_iterator(); ++it) {
        std::string name = (*it)[1], list = (*it)[2];
        size_t from = it->position() + it->length();
        size_t to = source.find("extern \"C\"", from);
        std::string body = source.substr(from, to - from);
        bool meets = body.find("_sync") != std::string::npos ||
                     body.find("__sync") != std::string::npos;
        text << "static void unpack_" << name << "(void **p) {\n    " << name << "(";
        std::stringstream parameters(list);
        std::string parameter;
        for (int i = 0; std::getline(parameters, parameter, ','); i++) {
            size_t at = parameter.find_last_of(" *") + 1;
            text << (i ? ", " : "") << "*(" << parameter.substr(0, at) << "*)p[" << i << "]";
        }
        text << ");\n}\nextern \"C\" void launch_" << name
             << "(Dimensions grid, Dimensions block, void **p) {\n    emulator::run(unpack_" << name
             << ", " << meets << ", grid, block, p);\n}\n";
    }
    return text.str();
}

} // namespace

extern "C" {

int nvrtcCreateProgram(Program **program, const char *source, const char *, int, const char **,
                       const char **) {
    *program = new Program{source, "", ""};
    return SUCCESS;
}

int nvrtcCompileProgram(Program *program, int, const char **) {
    // Compiling takes a second, and the same kernels are asked for again and again.
    std::string kernels = folder() + "/kernels-" +
                          std::to_string(std::hash<std::string>{}(program->source)) + ".so";
    program->library = kernels;
    if (std::ifstream(kernels)) return SUCCESS;
    std::string stem = kernels + "-" + std::to_string(getpid());
    std::ofstream(stem + ".cpp") << "#include \"device.h\"\n#line 1 \"kernels\"\n"
                                 << program->source << launchers(program->source);
    // Contracting a product and a sum would round differently, as --fmad=false forbids.
    std::string command = "g++ -std=c++17 -O2 -w -ffp-contract=off -shared -fPIC -I'" + folder() +
                          "' -o '" + stem + ".so' '" + stem + ".cpp' > '" + stem + ".log' 2>&1";
    int failed = std::system(command.c_str());
    std::ifstream log(stem + ".log");
    program->log.assign(std::istreambuf_iterator<char>(log), {});
    if (failed || std::rename((stem + ".so").c_str(), kernels.c_str())) return 6;
    return SUCCESS;
}

int nvrtcGetPTXSize(Program *program, size_t *size) {
    *size = program->library.size() + 1;
    return SUCCESS;
}

int nvrtcGetPTX(Program *program, char *text) {
    std::strcpy(text, program->library.c_str());
    return SUCCESS;
}

int nvrtcGetProgramLogSize(Program *program, size_t *size) {
    *size = program->log.size() + 1;
    return SUCCESS;
}

int nvrtcGetProgramLog(Program *program, char *text) {
    std::strcpy(text, program->log.c_str());
    return SUCCESS;
}

int nvrtcDestroyProgram(Program **program) {
    delete *program;
    return SUCCESS;
}

int cuInit(unsigned) { return SUCCESS; }

int cuDriverGetVersion(int *version) {
    *version = 13000;
    return SUCCESS;
}

int cuDeviceGet(int *device, int) {
    *device = 0;
    return SUCCESS;
}

int cuDeviceGetCount(int *number) {
    *number = 1;
    return SUCCESS;
}

int cuDeviceGetName(char *name, int length, int) {
    std::snprintf(name, length, "emulated GPU");
    return SUCCESS;
}

// One multiprocessor; no memory pools.
int cuDeviceGetAttribute(int *value, int attribute, int) {
    const int MULTIPROCESSORS = 16;
    *value = attribute == MULTIPROCESSORS;
    return SUCCESS;
}

int cuDevicePrimaryCtxRetain(void **context, int) {
    *context = (void *)1;
    return SUCCESS;
}

int cuDevicePrimaryCtxRelease_v2(int) { return SUCCESS; }

int cuCtxGetCurrent(void **context) {
    *context = (void *)1;
    return SUCCESS;
}

int cuCtxSetCurrent(void *) { return SUCCESS; }
int cuCtxSynchronize() { return SUCCESS; }
int cuStreamSynchronize(void *) { return SUCCESS; }
int cuStreamWaitEvent(void *, void *, unsigned) { return SUCCESS; }

int cuEventCreate(void **event, unsigned) {
    *event = (void *)1;
    return SUCCESS;
}

int cuEventRecord(void *, void *) { return SUCCESS; }
int cuEventDestroy_v2(void *) { return SUCCESS; }

// EMULATED_GPU_MEMORY: its bytes.
int cuMemGetInfo_v2(size_t *free, size_t *total) {
    *free = *total = setting("EMULATED_GPU_MEMORY", 256l << 20);
    return SUCCESS;
}

int cuMemAlloc_v2(void **pointer, size_t bytes) {
    *pointer = std::aligned_alloc(256, (bytes + 255) / 256 * 256);
    return *pointer ? SUCCESS : OUT_OF_MEMORY;
}

int cuMemFree_v2(void *pointer) {
    std::free(pointer);
    return SUCCESS;
}

int cuMemcpyHtoDAsync_v2(void *to, const void *from, size_t bytes, void *) {
    std::memcpy(to, from, bytes);
    return SUCCESS;
}

int cuMemcpyDtoHAsync_v2(void *to, const void *from, size_t bytes, void *) {
    std::memcpy(to, from, bytes);
    return SUCCESS;
}

int cuMemcpyDtoDAsync_v2(void *to, const void *from, size_t bytes, void *) {
    std::memmove(to, from, bytes);
    return SUCCESS;
}

int cuMemsetD8Async(void *to, unsigned char value, size_t bytes, void *) {
    std::memset(to, value, bytes);
    return SUCCESS;
}

int cuModuleLoadData(void **module, const void *image) {
    *module = dlopen((const char *)image, RTLD_NOW | RTLD_LOCAL);
    if (!*module) std::fprintf(stderr, "emulated GPU: %s\n", dlerror());
    return *module ? SUCCESS : INVALID;
}

int cuModuleUnload(void *) { return SUCCESS; }

int cuModuleGetFunction(void **function, void *module, const char *name) {
    void *launch = dlsym(module, (std::string("launch_") + name).c_str());
    if (!launch) return NOT_FOUND;
    *function = launch;
    return SUCCESS;
}

int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                   unsigned by, unsigned bz, unsigned, void *, void **parameters, void **) {
    auto launch = (void (*)(Dimensions, Dimensions, void **))function;
    launch({gx, gy, gz}, {bx, by, bz}, parameters);
    return SUCCESS;
}

int cuGetErrorName(int error, const char **name) {
    *name = error == OUT_OF_MEMORY ? "OUT_OF_MEMORY" : "ERROR";
    return SUCCESS;
}

int cuGetErrorString(int, const char **text) {
    *text = "an error of the emulated GPU";
    return SUCCESS;
}
}
