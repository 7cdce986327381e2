// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/vulkan/vulkan.h"

#define VK_NO_PROTOTYPES
#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstring>
#include <dlfcn.h>

namespace warpdrf::vulkan {

namespace {

/// A run that takes longer is given up. A software device compiles in this time, too, perhaps on a
/// machine that has more to do.
constexpr std::uint64_t patience = 20'000'000'000; // ns

/// The functions we use, by who gives them.
#define INSTANCE_FUNCTIONS(F)                                                                      \
  F(vkDestroyInstance)                                                                             \
  F(vkEnumeratePhysicalDevices)                                                                    \
  F(vkGetPhysicalDeviceProperties2)                                                                \
  F(vkGetPhysicalDeviceFeatures2)                                                                  \
  F(vkGetPhysicalDeviceMemoryProperties)                                                           \
  F(vkGetPhysicalDeviceQueueFamilyProperties)                                                      \
  F(vkCreateDevice)                                                                                \
  F(vkGetDeviceProcAddr)
#define DEVICE_FUNCTIONS(F)                                                                        \
  F(vkDestroyDevice)                                                                               \
  F(vkGetDeviceQueue)                                                                              \
  F(vkCreateBuffer)                                                                                \
  F(vkDestroyBuffer)                                                                               \
  F(vkGetBufferMemoryRequirements)                                                                 \
  F(vkAllocateMemory)                                                                              \
  F(vkFreeMemory)                                                                                  \
  F(vkBindBufferMemory)                                                                            \
  F(vkMapMemory)                                                                                   \
  F(vkCreateShaderModule)                                                                          \
  F(vkDestroyShaderModule)                                                                         \
  F(vkCreateDescriptorSetLayout)                                                                   \
  F(vkDestroyDescriptorSetLayout)                                                                  \
  F(vkCreatePipelineLayout)                                                                        \
  F(vkDestroyPipelineLayout)                                                                       \
  F(vkCreateComputePipelines)                                                                      \
  F(vkDestroyPipeline)                                                                             \
  F(vkCreateDescriptorPool)                                                                        \
  F(vkDestroyDescriptorPool)                                                                       \
  F(vkAllocateDescriptorSets)                                                                      \
  F(vkUpdateDescriptorSets)                                                                        \
  F(vkCreateCommandPool)                                                                           \
  F(vkDestroyCommandPool)                                                                          \
  F(vkAllocateCommandBuffers)                                                                      \
  F(vkFreeCommandBuffers)                                                                          \
  F(vkBeginCommandBuffer)                                                                          \
  F(vkCmdBindPipeline)                                                                             \
  F(vkCmdBindDescriptorSets)                                                                       \
  F(vkCmdDispatch)                                                                                 \
  F(vkCmdPipelineBarrier)                                                                          \
  F(vkEndCommandBuffer)                                                                            \
  F(vkCreateFence)                                                                                 \
  F(vkDestroyFence)                                                                                \
  F(vkWaitForFences)                                                                               \
  F(vkQueueSubmit)

#define MEMBER(name) PFN_##name name = nullptr;
struct InstanceFunctions {
  INSTANCE_FUNCTIONS(MEMBER)
};
struct DeviceFunctions {
  DEVICE_FUNCTIONS(MEMBER)
};
#undef MEMBER

struct Physical {
  VkPhysicalDevice handle = nullptr;
  std::uint32_t family = 0;
  bool fullSubgroups = false;
};

/// A device in use, and what belongs to it.
struct Logical {
  VkDevice handle = nullptr;
  VkQueue queue = nullptr;
  VkCommandPool pool = nullptr;
  DeviceFunctions f;
};

struct Memory {
  VkBuffer buffer = nullptr;
  VkDeviceMemory memory = nullptr;
  void *mapped = nullptr;
};

/// What one run makes; gone afterwards, however it ended.
struct Run {
  Logical &device;
  std::vector<Memory> memories;
  VkShaderModule shader = nullptr;
  VkDescriptorSetLayout setLayout = nullptr;
  VkPipelineLayout layout = nullptr;
  VkPipeline pipeline = nullptr;
  VkDescriptorPool descriptors = nullptr;
  VkFence fence = nullptr;
  VkCommandBuffer commands = nullptr;
  bool stillRunning = false; ///< the device may yet use all this, so it is left to it
  std::string failed;        ///< the call that did not succeed

  explicit Run(Logical &device) : device(device) {}
  Run(const Run &) = delete;
  Run &operator=(const Run &) = delete;
  ~Run() {
    if (stillRunning)
      return;
    const DeviceFunctions &f = device.f;
    VkDevice d = device.handle;
    if (commands)
      f.vkFreeCommandBuffers(d, device.pool, 1, &commands);
    f.vkDestroyFence(d, fence, nullptr);
    f.vkDestroyDescriptorPool(d, descriptors, nullptr);
    f.vkDestroyPipeline(d, pipeline, nullptr);
    f.vkDestroyPipelineLayout(d, layout, nullptr);
    f.vkDestroyDescriptorSetLayout(d, setLayout, nullptr);
    f.vkDestroyShaderModule(d, shader, nullptr);
    for (const Memory &each : memories) {
      f.vkDestroyBuffer(d, each.buffer, nullptr);
      f.vkFreeMemory(d, each.memory, nullptr);
    }
  }

  bool fine(VkResult result, const char *what) {
    if (result != VK_SUCCESS && failed.empty())
      failed = std::string(what) + " failed (" + std::to_string(result) + ")";
    return result == VK_SUCCESS;
  }
};

class Loaded : public Devices {
public:
  ~Loaded() override {
    if (abandoned) // a driver's thread is still in there
      return;
    for (Logical &device : logical)
      if (device.handle) {
        device.f.vkDestroyCommandPool(device.handle, device.pool, nullptr);
        device.f.vkDestroyDevice(device.handle, nullptr);
      }
    if (instance)
      f.vkDestroyInstance(instance, nullptr);
    // The library stays: drivers do not like to be unloaded.
  }

  const std::vector<DeviceInfo> &list() const override { return infos; }

  bool load(std::string &error) {
    void *library = dlopen("libvulkan.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
      error = "libvulkan.so.1 cannot be loaded (Debian: libvulkan1)";
      return false;
    }
    const auto get =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(dlsym(library, "vkGetInstanceProcAddr"));
    const auto create = reinterpret_cast<PFN_vkCreateInstance>(get(nullptr, "vkCreateInstance"));
    VkApplicationInfo application{};
    application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
    info.pApplicationInfo = &application;
    if (VkResult result = create(&info, nullptr, &instance); result != VK_SUCCESS) {
      error = "there is no Vulkan driver (vkCreateInstance gives " + std::to_string(result) + ")";
      return false;
    }
#define LOAD(name) f.name = reinterpret_cast<PFN_##name>(get(instance, #name));
    INSTANCE_FUNCTIONS(LOAD)
#undef LOAD
    std::uint32_t count = 0;
    f.vkEnumeratePhysicalDevices(instance, &count, nullptr);
    std::vector<VkPhysicalDevice> handles(count);
    f.vkEnumeratePhysicalDevices(instance, &count, handles.data());
    for (VkPhysicalDevice handle : handles)
      look(handle);
    logical.resize(physical.size());
    if (physical.empty())
      error = "there is no Vulkan device";
    return !physical.empty();
  }

  bool run(std::size_t index, const std::vector<std::uint32_t> &spirv,
           std::vector<std::vector<std::uint32_t>> &buffers, std::string &error) override {
    if (!infos[index].lacks.empty()) {
      error = infos[index].lacks;
      return false;
    }
    if (!logical[index].handle && !start(index, error))
      return false;
    endless = false;
    Logical used = logical[index];
    Run run(used);
    const bool done = fill(run, index, buffers) && prepare(run, index, spirv) && dispatch(run);
    abandoned |= run.stillRunning;
    endless = run.stillRunning;
    if (run.stillRunning)
      logical[index] = {}; // the next run gets a device of its own
    if (!done) {
      error = run.failed;
      return false;
    }
    for (std::size_t i = 0; i < buffers.size(); ++i)
      std::memcpy(buffers[i].data(), run.memories[i].mapped, 4 * buffers[i].size());
    return true;
  }

private:
  void look(VkPhysicalDevice handle) {
    VkPhysicalDeviceSubgroupProperties subgroups{};
    subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
    VkPhysicalDeviceProperties2 properties{};
    properties.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2;
    properties.pNext = &subgroups;
    f.vkGetPhysicalDeviceProperties2(handle, &properties);
    DeviceInfo info{properties.properties.deviceName, subgroups.subgroupSize, ""};
    const VkSubgroupFeatureFlags wanted =
        VK_SUBGROUP_FEATURE_BASIC_BIT | VK_SUBGROUP_FEATURE_VOTE_BIT |
        VK_SUBGROUP_FEATURE_BALLOT_BIT | VK_SUBGROUP_FEATURE_ARITHMETIC_BIT;
    if (!(subgroups.supportedStages & VK_SHADER_STAGE_COMPUTE_BIT) ||
        (subgroups.supportedOperations & wanted) != wanted)
      info.lacks = "no vote, ballot and arithmetic of subgroups in compute shaders";
    else if (info.width > 32)
      info.lacks = "subgroups of more than 32 lanes, for which a ballot has no room yet";
    VkPhysicalDeviceSubgroupSizeControlFeatures control{};
    control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    VkPhysicalDeviceFeatures2 features{};
    features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    features.pNext = &control;
    f.vkGetPhysicalDeviceFeatures2(handle, &features);
    std::uint32_t count = 0;
    f.vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    f.vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, families.data());
    auto found = std::ranges::find_if(families, [](const VkQueueFamilyProperties &family) {
      return family.queueFlags & VK_QUEUE_COMPUTE_BIT;
    });
    if (found == families.end())
      info.lacks = "no queue for compute shaders";
    const bool core = properties.properties.apiVersion >= VK_API_VERSION_1_3;
    physical.push_back({handle, static_cast<std::uint32_t>(found - families.begin()),
                        core && control.computeFullSubgroups});
    infos.push_back(std::move(info));
  }

  bool start(std::size_t index, std::string &error) {
    const float priority = 1;
    VkDeviceQueueCreateInfo queue{};
    queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
    queue.queueFamilyIndex = physical[index].family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkPhysicalDeviceSubgroupSizeControlFeatures control{};
    control.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_FEATURES;
    control.computeFullSubgroups = VK_TRUE;
    VkDeviceCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
    info.pNext = physical[index].fullSubgroups ? &control : nullptr;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    Logical device;
    if (VkResult result = f.vkCreateDevice(physical[index].handle, &info, nullptr, &device.handle);
        result != VK_SUCCESS) {
      error = "vkCreateDevice failed (" + std::to_string(result) + ")";
      return false;
    }
#define LOAD(name)                                                                                 \
  device.f.name = reinterpret_cast<PFN_##name>(f.vkGetDeviceProcAddr(device.handle, #name));
    DEVICE_FUNCTIONS(LOAD)
#undef LOAD
    device.f.vkGetDeviceQueue(device.handle, physical[index].family, 0, &device.queue);
    VkCommandPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
    pool.queueFamilyIndex = physical[index].family;
    const VkResult result =
        device.f.vkCreateCommandPool(device.handle, &pool, nullptr, &device.pool);
    logical[index] = device;
    if (result != VK_SUCCESS)
      error = "vkCreateCommandPool failed (" + std::to_string(result) + ")";
    return result == VK_SUCCESS;
  }

  /// Memory that both sides see.
  bool fill(Run &run, std::size_t index, const std::vector<std::vector<std::uint32_t>> &contents) {
    Logical &device = run.device;
    VkPhysicalDeviceMemoryProperties kinds{};
    f.vkGetPhysicalDeviceMemoryProperties(physical[index].handle, &kinds);
    for (const std::vector<std::uint32_t> &words : contents) {
      Memory &made = run.memories.emplace_back();
      VkBufferCreateInfo info{};
      info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
      info.size = std::max<std::size_t>(4 * words.size(), 4);
      info.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
      if (!run.fine(device.f.vkCreateBuffer(device.handle, &info, nullptr, &made.buffer),
                    "vkCreateBuffer"))
        return false;
      VkMemoryRequirements needs{};
      device.f.vkGetBufferMemoryRequirements(device.handle, made.buffer, &needs);
      const VkMemoryPropertyFlags wanted =
          VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
      std::uint32_t kind = 0;
      while (kind < kinds.memoryTypeCount &&
             (!(needs.memoryTypeBits >> kind & 1) ||
              (kinds.memoryTypes[kind].propertyFlags & wanted) != wanted))
        ++kind;
      VkMemoryAllocateInfo allocation{};
      allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
      allocation.allocationSize = needs.size;
      allocation.memoryTypeIndex = kind;
      if (!run.fine(device.f.vkAllocateMemory(device.handle, &allocation, nullptr, &made.memory),
                    "vkAllocateMemory") ||
          !run.fine(device.f.vkBindBufferMemory(device.handle, made.buffer, made.memory, 0),
                    "vkBindBufferMemory") ||
          !run.fine(
              device.f.vkMapMemory(device.handle, made.memory, 0, VK_WHOLE_SIZE, 0, &made.mapped),
              "vkMapMemory"))
        return false;
      std::memcpy(made.mapped, words.data(), 4 * words.size());
    }
    return true;
  }

  bool prepare(Run &run, std::size_t index, const std::vector<std::uint32_t> &spirv) {
    Logical &device = run.device;
    VkShaderModuleCreateInfo shader{};
    shader.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    shader.codeSize = 4 * spirv.size();
    shader.pCode = spirv.data();
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (std::uint32_t i = 0; i < run.memories.size(); ++i)
      bindings.push_back(
          {i, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr});
    VkDescriptorSetLayoutCreateInfo set{};
    set.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    set.bindingCount = static_cast<std::uint32_t>(bindings.size());
    set.pBindings = bindings.data();
    if (!run.fine(device.f.vkCreateShaderModule(device.handle, &shader, nullptr, &run.shader),
                  "vkCreateShaderModule") ||
        !run.fine(
            device.f.vkCreateDescriptorSetLayout(device.handle, &set, nullptr, &run.setLayout),
            "vkCreateDescriptorSetLayout"))
      return false;
    VkPipelineLayoutCreateInfo layout{};
    layout.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    layout.setLayoutCount = 1;
    layout.pSetLayouts = &run.setLayout;
    if (!run.fine(device.f.vkCreatePipelineLayout(device.handle, &layout, nullptr, &run.layout),
                  "vkCreatePipelineLayout"))
      return false;
    VkComputePipelineCreateInfo pipeline{};
    pipeline.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    pipeline.layout = run.layout;
    pipeline.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    pipeline.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    pipeline.stage.module = run.shader;
    pipeline.stage.pName = "main";
    if (physical[index].fullSubgroups)
      pipeline.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    return run.fine(device.f.vkCreateComputePipelines(device.handle, nullptr, 1, &pipeline, nullptr,
                                                      &run.pipeline),
                    "vkCreateComputePipelines");
  }

  bool bind(Run &run, VkDescriptorSet &set) {
    Logical &device = run.device;
    const auto count = static_cast<std::uint32_t>(run.memories.size());
    VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, std::max(count, 1u)};
    VkDescriptorPoolCreateInfo pool{};
    pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
    pool.maxSets = 1;
    pool.poolSizeCount = 1;
    pool.pPoolSizes = &size;
    if (!run.fine(device.f.vkCreateDescriptorPool(device.handle, &pool, nullptr, &run.descriptors),
                  "vkCreateDescriptorPool"))
      return false;
    VkDescriptorSetAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
    info.descriptorPool = run.descriptors;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &run.setLayout;
    if (!run.fine(device.f.vkAllocateDescriptorSets(device.handle, &info, &set),
                  "vkAllocateDescriptorSets"))
      return false;
    for (std::uint32_t i = 0; i < count; ++i) {
      VkDescriptorBufferInfo buffer{run.memories[i].buffer, 0, VK_WHOLE_SIZE};
      VkWriteDescriptorSet write{};
      write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
      write.dstSet = set;
      write.dstBinding = i;
      write.descriptorCount = 1;
      write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
      write.pBufferInfo = &buffer;
      device.f.vkUpdateDescriptorSets(device.handle, 1, &write, 0, nullptr);
    }
    return true;
  }

  bool dispatch(Run &run) {
    Logical &device = run.device;
    const DeviceFunctions &d = device.f;
    VkDescriptorSet set = nullptr;
    if (!bind(run, set))
      return false;
    VkCommandBufferAllocateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
    info.commandPool = device.pool;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    if (!run.fine(d.vkAllocateCommandBuffers(device.handle, &info, &run.commands),
                  "vkAllocateCommandBuffers"))
      return false;
    VkCommandBufferBeginInfo begin{};
    begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    VkCommandBuffer commands = run.commands;
    d.vkBeginCommandBuffer(commands, &begin);
    d.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, run.pipeline);
    d.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, run.layout, 0, 1, &set, 0,
                              nullptr);
    d.vkCmdDispatch(commands, 1, 1, 1);
    VkMemoryBarrier barrier{};
    barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
    barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
    barrier.dstAccessMask = VK_ACCESS_HOST_READ_BIT;
    d.vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                           VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
    d.vkEndCommandBuffer(commands);
    VkFenceCreateInfo fence{};
    fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
    VkSubmitInfo submit{};
    submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &commands;
    if (!run.fine(d.vkCreateFence(device.handle, &fence, nullptr, &run.fence), "vkCreateFence") ||
        !run.fine(d.vkQueueSubmit(device.queue, 1, &submit, run.fence), "vkQueueSubmit"))
      return false;
    const VkResult ended = d.vkWaitForFences(device.handle, 1, &run.fence, VK_TRUE, patience);
    if (ended == VK_TIMEOUT) {
      run.stillRunning = true;
      run.failed = "the shader runs longer than " + std::to_string(patience / 1'000'000'000) + " s";
    }
    return run.fine(ended, "waiting for the shader");
  }

  bool gaveUp() const override { return endless; }

  bool endless = false, abandoned = false; ///< the last run; any run
  VkInstance instance = nullptr;
  InstanceFunctions f;
  std::vector<DeviceInfo> infos;
  std::vector<Physical> physical;
  std::vector<Logical> logical;
};

} // namespace

std::unique_ptr<Devices> Devices::open(std::string &error) {
  auto devices = std::make_unique<Loaded>();
  if (!devices->load(error))
    return nullptr;
  return devices;
}

} // namespace warpdrf::vulkan
